@rem Opens ports of controllers on this computer: busbar-connect --help
@"%~dp0node.exe" "%~dp0busbar-connect.mjs" %*
