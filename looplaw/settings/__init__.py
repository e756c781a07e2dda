"""What a study is made with: study files, options, launchers."""
