# Installs the agent of this folder, lets it fetch the machine's configuration, and starts it by the Task Scheduler at each
# start of Windows. Built after the documentation of Windows, not tried by us. Run in a PowerShell of an administrator.
#   install.ps1 -Setup https://…/api/v1/setup/…
param([string] $Setup, [string[]] $Arguments = @())
$ErrorActionPreference = 'Stop'

$task = 'Busbar agent'
$programs = Join-Path $env:ProgramFiles 'Busbar Agent'
$data = Join-Path $env:ProgramData 'Busbar Agent'
$node = Join-Path $programs 'node.exe'
$agent = Join-Path $programs 'busbar-agent.mjs'

if (Get-ScheduledTask -TaskName $task -ErrorAction SilentlyContinue) { Stop-ScheduledTask -TaskName $task }
New-Item -ItemType Directory -Force -Path $programs, $data | Out-Null
Copy-Item -Recurse -Force -Path (Join-Path $PSScriptRoot '*') -Destination $programs
# The secret is for administrators and for the account that the agent runs under. Names of accounts are translated, their
# identifiers are not: LOCAL SERVICE, SYSTEM, Administrators.
& icacls $data /inheritance:r /grant '*S-1-5-19:(OI)(CI)M' '*S-1-5-18:(OI)(CI)F' '*S-1-5-32-544:(OI)(CI)F' | Out-Null

if ($Setup) {
  & $node $agent setup $Setup --folder $data --no-start @Arguments
  if ($LASTEXITCODE -ne 0) { exit $LASTEXITCODE }
}
$config = Join-Path $data 'agent.yaml'
if (-not (Test-Path $config)) {
  Write-Output "The agent is installed. It starts once it has $config."
  exit 0
}
$action = New-ScheduledTaskAction -Execute $node -Argument "`"$agent`" `"$config`"" -WorkingDirectory $data
$trigger = New-ScheduledTaskTrigger -AtStartup
$account = New-ScheduledTaskPrincipal -UserId 'S-1-5-19' -LogonType ServiceAccount
$settings = New-ScheduledTaskSettingsSet -RestartCount 999 -RestartInterval (New-TimeSpan -Minutes 1) `
  -ExecutionTimeLimit ([TimeSpan]::Zero) -AllowStartIfOnBatteries -DontStopIfGoingOnBatteries
Register-ScheduledTask -Force -TaskName $task -Action $action -Trigger $trigger -Principal $account -Settings $settings | Out-Null
Start-ScheduledTask -TaskName $task
