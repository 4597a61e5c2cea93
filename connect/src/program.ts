import { Api } from './api.ts'
import { type Command, parseArguments, readLang } from './arguments.ts'
import { formatTable } from './columns.ts'
import { formatTime } from './describe-event.ts'
import { describeFailure } from './failure-text.ts'
import { login, requireSession } from './login.ts'
import { findMachine } from './machines.ts'
import { type Lang, type ListedPort, printable } from './model.ts'
import { openPorts } from './open-ports.ts'
import { Output, type Surroundings } from './output.ts'
import { listOpens, type RunningOpen, removeOpen } from './running-opens.ts'
import { readSession, removeSession, type Session, sessionPath } from './session-file.ts'
import { type Texts, textsOf } from './texts/index.ts'

const exitCodes = { done: 0, failed: 1, usage: 2 } as const

/** Runs one command; answers the program's exit code. */
export async function runProgram(given: readonly string[], around: Surroundings): Promise<number> {
  let lang = readLang(given) ?? langOf(around.env)
  let out = new Output(given.includes('--json'), around.write)
  try {
    const { command, json, ...wished } = parseArguments(given)
    lang = wished.lang ?? lang
    out = new Output(json, around.write)
    return await run(command, around, out, lang)
  } catch (error) {
    if (around.stopped.aborted) return exitCodes.failed
    const t = textsOf[lang]
    const { code, message, isUsage, more } = describeFailure(error, t, await serverOf(around))
    if (out.isJson) out.say('', { event: 'failed', code, message, ...more })
    else around.writeError(`${message.split('\n').map(printable).join('\n')}\n`)
    if (isUsage && !out.isJson) around.writeError(`${t.seeHelp}\n`)
    return isUsage ? exitCodes.usage : exitCodes.failed
  }
}

async function run(command: Command, around: Surroundings, out: Output, lang: Lang): Promise<number> {
  const t = textsOf[lang]
  const apiOf = ({ server, token }: Session) =>
    new Api({ server, lang, token, ...(around.fetch ? { fetch: around.fetch } : {}) })
  switch (command.name) {
    case 'help':
      around.write(t.help)
      break
    case 'version':
      out.say(around.version, { version: around.version })
      break
    case 'login':
      await login(around, out, { server: command.server, lang, t })
      break
    case 'list': {
      const api = apiOf(await requireSession(around, t))
      await (command.search ? listPorts(api, command.search, out, t) : listMachines(api, out, t))
      break
    }
    case 'open':
      return (await openPorts(around, out, command, { lang, t })) ? exitCodes.done : exitCodes.failed
    case 'status': {
      const session = await requireSession(around, t)
      const { name, account } = await apiOf(session).whoAmI()
      const path = sessionPath(around)
      const { live, dead } = await listOpens(around)
      // An address that is left needs rights to be removed: the next `open` does that.
      for (const { pid, added } of dead) if (!added) await removeOpen(around, pid)
      const lines = [t.statusServer(session.server), t.statusPerson(name, account), t.statusFile(path)]
      for (const line of lines) out.note(line)
      for (const line of live.length > 0 ? describeOpens(live, t, lang) : [t.noOpens]) out.note(line)
      if (out.isJson) out.say('', { server: session.server, name, account, file: path, opens: live })
      break
    }
    case 'logout': {
      const session = await requireSession(around, t)
      try {
        await apiOf(session).signOut()
      } finally {
        // Where the platform cannot be reached, at least this computer forgets it.
        await removeSession(around)
      }
      out.say(t.signedOut, { event: 'signedOut' })
    }
  }
  return exitCodes.done
}

async function listMachines(api: Api, out: Output, t: Texts): Promise<void> {
  const machines = await api.listMachines('')
  if (out.isJson) {
    for (const machine of machines) out.say('', machine)
    return
  }
  if (machines.length === 0) return out.note(t.noMachines)
  const rows = machines.map(({ name, code, online }) => [
    printable(name),
    code,
    online ? t.online : t.offline,
  ])
  for (const line of formatTable([t.headMachines, ...rows])) out.note(line)
}

async function listPorts(api: Api, wanted: string, out: Output, t: Texts): Promise<void> {
  const machine = await findMachine(api, wanted, t)
  const ports = await api.listPorts(machine.id)
  if (out.isJson) {
    for (const port of ports) out.say('', port)
    return
  }
  out.note(`${machine.name} (${machine.code}), ${machine.online ? t.online : t.offline}`)
  if (ports.length === 0) return out.note(t.noPorts)
  const rows = ports.map((port) => [
    printable(port.name),
    port.kind,
    accessOf(port, t),
    port.roundTripMs === null ? '–' : `${Math.round(port.roundTripMs)} ms`,
    printable(port.note),
  ])
  for (const line of formatTable([t.headPorts, ...rows])) out.note(line)
}

function accessOf({ mayChange, mayLook }: ListedPort, t: Texts): string {
  if (mayChange) return mayLook ? t.access.changeAndLook : t.access.change
  return mayLook ? t.access.look : t.access.none
}

/** One line a port that is open. */
function describeOpens(opens: readonly RunningOpen[], t: Texts, lang: Lang): string[] {
  const rows = opens.flatMap(({ pid, since, machine, mode, ports }) =>
    ports.map(({ name, address }) => [
      printable(machine),
      printable(name),
      printable(address),
      t.modes[mode],
      formatTime(since, lang),
      String(pid),
    ]),
  )
  return formatTable([t.headOpens, ...rows])
}

/** The language of the system, by the settings of POSIX and else by that of Node. */
function langOf(env: Readonly<Record<string, string | undefined>>): Lang {
  const told = env.LC_ALL || env.LC_MESSAGES || env.LANG || Intl.DateTimeFormat().resolvedOptions().locale
  return told.toLowerCase().startsWith('zh') ? 'cn' : 'en'
}

const serverOf = async (around: Surroundings): Promise<string> => {
  const session = await readSession(around).catch(() => undefined)
  return session?.server ?? ''
}
