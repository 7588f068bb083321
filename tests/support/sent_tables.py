"""CSV files as people send them, by name."""

from random import Random

_DRAWN = Random(1)
_ANSWERS = ("Yes", "No", "Not sure")


def _wide():
    """Return a table of 299 columns."""
    lines = ["Sensor," + ",".join(f"T{number}" for number in range(1, 300))]
    for row in range(6):
        lines.append(f"s{row}," + ",".join(f"{_DRAWN.uniform(20, 25):.1f}" for _ in range(299)))
    return "\n".join(lines)


def _survey():
    """Return forty answers."""
    lines = ["Timestamp,Would you recommend us?,How did you hear of us?,Rating (1-5)"]
    for _ in range(40):
        day, answer = _DRAWN.randint(1, 28), _DRAWN.choices(_ANSWERS, [6, 2, 1])[0]
        source, rating = _DRAWN.choice(["Friend", "Web", "Web"]), _DRAWN.choice([2, 3, 4, 4, 5, 5])
        lines.append(f"2024-05-{day:02d},{answer},{source},{rating}")
    return "\n".join(lines)


_TEXTS = {
    "01-sales.csv": """\
Month,Sales,Orders,Returns
January,12000,240,12
February,11500,230,9
March,14250,281,15
April,13900,270,11
May,15100,300,18
June,16800,322,14
July,9100,180,8
August,9900,192,9
September,15300,301,13
October,17250,340,17
November,22900,455,30
December,31200,611,44
Total,189200,3722,200
""",
    "02-budget.csv": """\
Item,Budget,Actual,Variance
Rent,"12,000","12,000",0
Salaries,"85,000","88,500","(3,500)"
Travel,"6,000","4,250","1,750"
Software,"9,600","11,045","(1,445)"
Marketing,"15,000","14,955",45
Training,"3,000","3,045",(45)
""",
    "03-percent.csv": """\
Region,Market share,Growth,Customer satisfaction
North,34%,2.5%,88%
South,21%,-1.2%,91%
East,18%,0%,85%
West,27%,4.8%,91%
""",
    "04-konto.csv": """\
Konto;Betrag;Datum
Miete;-1.200,00 €;01.03.2024
Gehalt;3.450,50 €;28.03.2024
Strom;-89,90 €;05.03.2024
Lebensmittel;-412,35 €;15.03.2024
Versicherung;-120,00 €;01.03.2024
""",
    "05-dates.csv": """\
Project,Start,End,Days
Apollo,3/14/2023,5/2/2023,49
Borealis,4/1/2023,12/24/2023,267
Cygnus,1/15/2024,2/20/2024,36
Draco,6/30/2024,7/1/2024,1
""",
    "06-repeated.csv": """\
Employee,Department,Hours
Ana,Sales,38
Ben,Sales,41
Ana,Support,12
Cem,Support,40
Dee,Sales,35
Ben,Support,4
""",
    "07-mixed.csv": """\
Supplier,Invoice,Discount
Acme,€1200,5%
Bolt,$950,3%
Crate,€780,10%
Dyno,$4100,0%
""",
    "08-empty.csv": """\
City,Population,Area (km²),Mayor,Notes
Avon,52000,31.5,,
Bree,18400,,Ms Ash,
Cole,,12.2,Mr Elm,
Dunn,97300,88,,
""",
    "09-one-column.csv": """\
Score
7
9
4
10
9
8
""",
    "10-one-row.csv": """\
Account,Balance,Currency
Savings,1520.75,EUR
""",
    "11-wide.csv": _wide(),
    "12-survey.csv": _survey(),
    "13-standings.csv": """\
Team,Played,Won,Drawn,Lost,GF,GA,GD,Points
Rovers,10,7,2,1,22,9,13,23
United,10,7,1,2,19,10,9,22
Town,10,5,3,2,15,11,4,18
City,10,5,3,2,14,12,2,18
Albion,10,3,2,5,11,15,-4,11
Wanderers,10,1,1,8,7,31,-24,4
""",
    "14-weather.csv": """\
Date,High (°C),Low (°C),Rain (mm),Wind (km/h),Sky
2024-07-01,24.1,13.2,0.0,12,clear
2024-07-02,26.5,14.0,0.0,9,clear
2024-07-03,22.3,15.1,11.4,28,rain
2024-07-04,19.8,12.9,4.2,31,rain
2024-07-05,21.7,11.8,0.0,17,cloudy
2024-07-06,25.0,12.5,0.0,8,clear
2024-07-07,29.4,16.3,0.2,11,clear
""",
    "15-election.csv": """\
Candidate,Party,Votes,Share
Amara Obi,Green,"18,204",41.2%
Bela Kis,Labour,"14,977",33.9%
Carla Fuchs,Liberal,"9,320",21.1%
Dan Poe,Independent,"1,683",3.8%
Total,,"44,184",100%
""",
    "16-export.csv": """\
Quarterly report - Contoso GmbH
Generated: 2024-10-02 09:14

Quarter,Revenue ($),Costs ($),Staff
2023-Q4,1250000,990000,41
2024-Q1,1310000,1010000,43
2024-Q2,1190000,1060000,43
2024-Q3,1475000,1080000,47
""",
    "17-bom-tabs.csv": """\
Product\tUnits sold\tPrice
Pen\t1200\t$1.50
Pencil\t3400\t$0.75
Eraser\t800\t$0.60
Ruler\t150\t$2.25
Notebook\t960\t$4.10
""",
    "18-quoted.csv": '''\
Ticket,Summary,Hours
A-1,"Login fails
after update",3.5
A-2,"Says ""not found""",1
A-3,"Slow, very slow",8
A-4,Typo,0.25
''',
    "19-years.csv": """\
Year,Students,Teachers
2015,820,51
2016,835,52
2017,861,52
2018,858,54
2019,902,55
2020,790,55
2021,811,53
2022,880,56
2023,921,58
""",
    "20-region-product.csv": """\
Region,Product,Revenue
North,Tea,1200
North,Coffee,3400
North,Cocoa,400
South,Tea,900
South,Coffee,5100
South,Cocoa,650
East,Tea,1500
East,Coffee,2800
East,Cocoa,300
""",
    "21-a.csv": """\
a,b
1,2
1,3
2,5
""",
    "22-negative.csv": """\
Store,Profit (€)
Berlin,-45000
Hamburg,12000
Munich,31000
Bonn,-45000
Kiel,800
""",
    "23-outlier.csv": """\
Donor,Gift
Ada,$50
Bo,$75
Cy,$60
Di,$20
Ed,"$10,000"
Fy,$45
Go,$80
""",
    "24-lowest.csv": """\
Flight,Lowest fare,Highest fare,Average fare
A1,$99,$400,$210
B2,$120,$380,$222
C3,$89,$510,$245
D4,$150,$350,$240
""",
    "25-sub.csv": """\
Line,2022,2023
Product sales,500,640
Services,200,210
Total income,700,850
Wages,300,330
Rent,100,110
Total expenses,400,440
Net income,300,410
""",
    "26-latin1.csv": """\
Ort;Höhe in m;Niederschlag
Zürich;408;1085,3
Säntis;2502;2840,1
Genève;375;1004,9
Lugano;273;1559,0
""",
    "27-phones.csv": """\
Name,Phone,ZIP,Joined
Al,555-0101,02139,2021-03-04
Bea,555-0102,10001,2020-11-30
Cal,555-0103,94105,2022-01-15
""",
    "28-months-wide.csv": """\
Department,Jan,Feb,Mar,Apr
Sales,10,12,9,14
Support,5,5,6,7
IT,3,2,4,4
""",
    "29-minutes.csv": """\
Runner,Time,Age
Ko,00:31:22,29
La,00:29:58,34
Mo,00:35:10,41
""",
    "30-ties.csv": """\
Player,Goals,Assists
A. Hill,12,3
B. Moor,12,7
C. Lake,9,7
D. Dale,12,1
E. Wood,2,0
""",
}
FILES = {name: text.encode() for name, text in _TEXTS.items()}
FILES["17-bom-tabs.csv"] = _TEXTS["17-bom-tabs.csv"].replace("\n", "\r\n").encode("utf-8-sig")
FILES["26-latin1.csv"] = _TEXTS["26-latin1.csv"].encode("cp1252")
