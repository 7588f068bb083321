"""Plans of tables as extractive models read and make them (Stepwise, §7, B.3)."""
