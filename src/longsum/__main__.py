"""`python -m longsum`: for torchrun, and where the program is not on the path."""

from longsum.cli import main

if __name__ == "__main__":
    main()
