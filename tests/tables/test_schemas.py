"""What longsum table writes is what the schemas in docs/schema say, and no field is left out."""

import jsonschema
import pytest

from longsum.tables.checks.text_checks import check_text, check_to_json
from longsum.tables.plan import plan_to_json
from longsum.tables.planning.planners import plan_by_rules
from longsum.tables.report import report_to_json
from longsum.tables.templates import realize
from schemas import SCHEMAS, schema


def test_reports_and_plans(example_table) -> None:
    planets = example_table("planets")
    plan = plan_by_rules(planets)
    made = realize(planets, plan)
    report = report_to_json(made)
    schema("table-report-1").validate(report)
    schema("table-plan-1").validate(plan_to_json(plan, planets))
    assert report.keys() == SCHEMAS["table-report-1"]["properties"].keys()
    for told, sentence in zip(report["sentences"], made.sentences, strict=True):
        # Each span is of one cell.
        assert sum(len(cell["spans"]) for cell in told["cells"]) == len(sentence.spans)


def test_checks(example_table) -> None:
    planets = example_table("planets")
    found = check_to_json(check_text(planets, "Saturn has 146 moons. Jupiter has 9 moons."))
    schema("table-check-1").validate(found)
    assert [flag["saw"] for flag in found["flags"]] == ["9"]
    with pytest.raises(jsonschema.ValidationError):
        schema("table-check-1").validate(found | {"flags": [{}]})
