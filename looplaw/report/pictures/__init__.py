"""Pictures as files, through matplotlib, which is asked for only here."""
