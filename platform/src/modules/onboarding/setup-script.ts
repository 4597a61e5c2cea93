import { type onboarding as contract, type downloads, errors, type Text } from '@busbar/contract'
import { Failure } from '../../kernel/http/failure.ts'

/** The parts of a script that sets an agent up. */
export interface Setup {
  /** The console's, without a slash at its end. */
  readonly origin: string
  readonly setupUrl: string
  readonly files: readonly downloads.Download[]
}

const sentences = {
  linux: { cn: '该脚本只适用于 Linux。', en: 'This script is for Linux.' },
  root: { cn: '请以 root 身份运行：在 sh 前加 sudo。', en: 'Run it as root: put sudo before sh.' },
  noFetcher: { cn: '请先安装 curl 或 wget。', en: 'Install curl or wget first.' },
  noProgram: {
    cn: '平台没有适用于本机的采集程序，请联系平台管理员。',
    en: 'The platform offers no agent for this computer. Tell its operator.',
  },
  notFetched: {
    cn: '无法从平台下载采集程序，请检查网络和代理设置。',
    en: 'The agent could not be downloaded from the platform. Check the network and the proxy.',
  },
  wrongSum: {
    cn: '下载的文件校验失败，未安装。请重试。',
    en: 'The downloaded file is not the one that the platform lists, so it was not installed. Try again.',
  },
  admin: {
    cn: '请以管理员身份打开 PowerShell 后重试。',
    en: 'Open PowerShell as an administrator and try again.',
  },
  noDocker: { cn: '未找到 docker。', en: 'There is no docker on this computer.' },
} as const satisfies Record<string, Text>

/**
 * A script that sets an agent up; of a link that cannot be used, one that says why and fails. It speaks both languages,
 * because programs that fetch scripts do not say which one their people read. It bears no secret: the agent fetches it.
 */
export async function setupScript(
  system: contract.SetupSystem,
  prepare: () => Promise<Setup>,
): Promise<string> {
  const isWindows = system === 'windows'
  let setup: Setup
  try {
    setup = await prepare()
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    const text = error.text ?? errors[error.code].text
    return isWindows ? `throw ${forPowerShell(text)}\n` : `echo ${forShell(text)} >&2\nexit 1\n`
  }
  if (isWindows) return windowsScript(setup)
  return system === 'docker' ? dockerScript(setup) : linuxScript(setup)
}

const both = ({ cn, en }: Text) => `${cn}\n${en}`
const quoteShell = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`
/** PowerShell takes the typographic quotes for its own as well. */
const quotePowerShell = (text: string) => `'${text.replaceAll(/['‘’‚‛]/g, '$&$&')}'`
const forShell = (text: Text) => quoteShell(both(text))
const forPowerShell = (text: Text) => quotePowerShell(both(text))

/** In a function that is called by the last line: a script that was cut off does nothing. */
const linuxScript = ({ origin, setupUrl, files }: Setup) => `#!/bin/sh
# Sets the Busbar agent of one machine up on this computer.
set -eu

fail() {
  printf '%s\\n' "$1" >&2
  exit 1
}

fetch() {
  if command -v curl >/dev/null; then
    curl -fsSL --retry 3 -o "$2" "$1"
  elif command -v wget >/dev/null; then
    wget -qO "$2" "$1"
  else
    fail ${forShell(sentences.noFetcher)}
  fi
}

# The program for a system: its file and checksum.
choose() {
  case "$1" in
${files.map(({ system, file, sha256 }) => `    ${system}) file=${quoteShell(file)} sum=${sha256} ;;`).join('\n')}
    *) return 1 ;;
  esac
}

main() {
  [ "$(uname -s)" = Linux ] || fail ${forShell(sentences.linux)}
  [ "$(id -u)" = 0 ] || fail ${forShell(sentences.root)}
  case "$(uname -m)" in
    x86_64 | amd64) debian=amd64 node=x64 ;;
    aarch64 | arm64) debian=arm64 node=arm64 ;;
    *) fail ${forShell(sentences.noProgram)} ;;
  esac
  if command -v dpkg >/dev/null && choose "debian-$debian"; then
    isDebian=1
  else
    isDebian=
    choose "linux-$node" || fail ${forShell(sentences.noProgram)}
  fi
  folder=$(mktemp -d)
  trap 'rm -rf "$folder"' EXIT
  fetch ${quoteShell(`${origin}/download/`)}"$file" "$folder/$file" || fail ${forShell(sentences.notFetched)}
  printf '%s  %s\\n' "$sum" "$folder/$file" | sha256sum -c - >/dev/null 2>&1 || fail ${forShell(sentences.wrongSum)}
  if [ "$isDebian" ]; then
    DEBIAN_FRONTEND=noninteractive dpkg -i "$folder/$file" >/dev/null
  else
    tar -xf "$folder/$file" -C "$folder"
    sh "$folder"/busbar-agent-*/install.sh
  fi
  busbar-agent setup ${quoteShell(setupUrl)} "$@"
}

main "$@"
`

/** The volume of the image, with the configuration and the queue. */
const imageFolder = '/var/lib/busbar-agent'

const dockerScript = ({ setupUrl }: Setup) => `#!/bin/sh
# Sets the Busbar agent of one machine up in a container of the image busbar-agent (deploy/agent/Dockerfile).
set -eu

main() {
  command -v docker >/dev/null || {
    echo ${forShell(sentences.noDocker)} >&2
    exit 1
  }
  docker run --rm --network host -v busbar-agent:${imageFolder} busbar-agent setup ${quoteShell(setupUrl)} --folder ${imageFolder} --no-start "$@"
  docker run --detach --name busbar-agent --restart unless-stopped --network host -v busbar-agent:${imageFolder} busbar-agent
}

main "$@"
`

function windowsScript({ origin, setupUrl, files }: Setup): string {
  const program = files.find(({ system }) => system === 'windows-x64')
  if (!program) return `throw ${forPowerShell(sentences.noProgram)}\n`
  return `# Sets the Busbar agent of one machine up on this computer.
& {
  $ErrorActionPreference = 'Stop'
  $ProgressPreference = 'SilentlyContinue'
  $person = [Security.Principal.WindowsPrincipal][Security.Principal.WindowsIdentity]::GetCurrent()
  if (-not $person.IsInRole([Security.Principal.WindowsBuiltInRole]::Administrator)) { throw ${forPowerShell(sentences.admin)} }
  $folder = Join-Path ([IO.Path]::GetTempPath()) ([IO.Path]::GetRandomFileName())
  New-Item -ItemType Directory -Path $folder | Out-Null
  try {
    $file = Join-Path $folder ${quotePowerShell(program.file)}
    try { Invoke-WebRequest -UseBasicParsing -Uri ${quotePowerShell(`${origin}${program.url}`)} -OutFile $file }
    catch { throw ${forPowerShell(sentences.notFetched)} }
    if ((Get-FileHash -Algorithm SHA256 $file).Hash -ne ${quotePowerShell(program.sha256)}) { throw ${forPowerShell(sentences.wrongSum)} }
    Expand-Archive -Path $file -DestinationPath $folder
    $install = Get-ChildItem -Path $folder -Recurse -Filter install.ps1 | Select-Object -First 1
    & $install.FullName -Setup ${quotePowerShell(setupUrl)}
  } finally {
    Remove-Item -Recurse -Force $folder
  }
}
`
}
