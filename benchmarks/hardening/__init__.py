"""How looplaw behaves when it is killed, when the disk fails, and when its input is hostile."""
