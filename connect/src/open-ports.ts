import { portHints } from '@busbar/link'
import { Api, type Taker } from './api.ts'
import type { Command } from './arguments.ts'
import { describeEvent } from './describe-event.ts'
import { describeFailure } from './failure-text.ts'
import { requireSession } from './login.ts'
import { chooseMode, findMachine, findPorts } from './machines.ts'
import { type ConnectEvent, type EndReason, type Lang, systemClock } from './model.ts'
import { takePlace } from './open-place.ts'
import type { Output, Surroundings } from './output.ts'
import { clearLeft } from './own-address.ts'
import { PortVisit } from './port-visit.ts'
import { Screen } from './screen.ts'
import { Target } from './target.ts'
import type { Texts } from './texts/index.ts'
import { renderView, takersShown } from './view.ts'

/** More of what happened is not shown. */
const toldMax = 200
/** Reasons that concern one port; all others end the whole visit. */
const ofOnePort: readonly EndReason[] = ['notAllowed', 'lookOnly', 'noPort']

type OpenCommand = Extract<Command, { name: 'open' }>

/** Opens ports until the person or the platform ends them; answers whether the person did. */
export async function openPorts(
  around: Surroundings,
  out: Output,
  command: OpenCommand,
  { lang, t }: { readonly lang: Lang; readonly t: Texts },
): Promise<boolean> {
  const session = await requireSession(around, t)
  const more = around.fetch ? { fetch: around.fetch } : {}
  const api = new Api({ server: session.server, lang, token: session.token, ...more })
  const machine = await findMachine(api, command.machine, t)
  const wanted = findPorts(command.ports, await api.listPorts(machine.id), t)
  const mode = chooseMode(
    wanted.map(({ port }) => port),
    command.mode,
    t,
  )
  const at = { machineId: machine.id, terminal: session.terminal, mode }
  await clearLeft(around, out, t)
  const place = await takePlace(around, {
    address: command.address,
    wanted,
    machine: machine.name,
    mode,
    t,
    beforeRights: () => out.note(t.addressRights(command.address)),
  })
  const visit = await PortVisit.open(api, at, systemClock).catch(async (error: unknown) => {
    await place.leave()
    throw error
  })

  const targets: Target[] = []
  const told: string[] = []
  let control = visit.opened.mode === 'rw' ? { isMine: true, who: '' } : undefined
  let screen: Screen | undefined
  let takers: readonly Taker[] | undefined
  let isEnding = false
  const { promise: allEnded, resolve: endAll } = createEnd()

  const tell = (event: ConnectEvent): void => {
    if (event.event === 'control') control = event
    const text = describeEvent(event, t, lang)
    told.push(text)
    if (told.length > toldMax) told.shift()
    if (screen) screen.draw()
    else if (!isEnding) out.say(text, { at: Date.now(), ...event })
    if (event.event !== 'ended') return
    if (!ofOnePort.includes(event.reason))
      for (const target of targets) target.endWith(event.reason, event.detail)
    if (targets.every(({ end }) => end)) endAll()
  }

  const act = async (action: 'take' | 'release' | 'hand', to?: number): Promise<void> => {
    try {
      tell({ event: 'control', ...(await api.control(visit.opened.sessionId, action, to)) })
    } catch (error) {
      told.push(describeFailure(error, t, api.server).message)
      screen?.draw()
    }
  }

  const offerHand = async (): Promise<void> => {
    try {
      const found = await api.listTakers(visit.opened.sessionId)
      // Joined by the same session, this visit is never among them while it is in control.
      takers = found.filter(({ sessionId }) => sessionId !== visit.opened.sessionId)
      if (takers.length === 0) {
        takers = undefined
        told.push(t.noTakers)
      }
    } catch (error) {
      told.push(describeFailure(error, t, api.server).message)
    }
    screen?.draw()
  }

  const press = (key: string): void => {
    const chosen = takers?.slice(0, takersShown)[Number(key) - 1]
    const wasOffered = takers !== undefined
    takers = undefined
    if (key === 'q' || key === '\u0003') endAll()
    else if (chosen) void act('hand', chosen.sessionId)
    else if (wasOffered) screen?.draw()
    else if (key === 'r') void act('release')
    else if (key === 't') void act('take')
    else if (key === 'h') void offerHand()
  }

  let giveKeyboardBack: () => void = () => undefined
  try {
    tell({ event: 'visit', machine: machine.name, mode: visit.opened.mode, until: visit.opened.expireAt })
    if (place.isAdded) tell({ event: 'address', address: command.address })
    for (const { port, localPort } of place.wanted) {
      const target = await Target.open({
        name: port.name,
        kind: port.kind,
        address: command.address,
        localPort,
        deps: { visit, clock: systemClock },
        countStreams: () => targets.reduce((sum, { streams }) => sum + streams, 0),
        tell,
      })
      targets.push(target)
      tell({ event: 'listening', target: port.name, kind: port.kind, address: target.localAddress })
    }
    await place.note(targets)
    const { terminal } = around
    if (terminal && !out.isJson) {
      screen = new Screen(around.write, () =>
        renderView(
          {
            machine: machine.name,
            mode: visit.opened.mode,
            until: visit.opened.expireAt,
            now: Date.now(),
            control,
            targets,
            takers,
            told,
          },
          { columns: terminal.columns(), rows: terminal.rows(), t, lang },
        ),
      )
      giveKeyboardBack = terminal.onKey(press)
    } else for (const kind of new Set(wanted.map(({ port }) => port.kind))) out.note(portHints[kind][lang])
    if (around.stopped.aborted) endAll()
    around.stopped.addEventListener('abort', endAll)
    await allEnded
  } finally {
    giveKeyboardBack()
    screen?.close()
    isEnding = screen !== undefined
    screen = undefined
    around.stopped.removeEventListener('abort', endAll)
    const isOver = targets.length > 0 && targets.every(({ end }) => end)
    for (const target of targets) target.close()
    // Otherwise the machine stays taken until the platform notices that nothing passes.
    if (!isOver) await api.endVisit(visit.opened.sessionId).catch(() => undefined)
    await place.leave()
  }
  return report(targets, out, t)
}

/** Tells the ends with their reasons after the view is gone; answers whether the person ended it. */
function report(targets: readonly Target[], out: Output, t: Texts): boolean {
  const ended = targets.filter(({ end }) => end)
  if (ended.length < targets.length) return true
  for (const { name, end } of ended)
    if (end) out.note(t.ended(name, [t.endReasons[end.reason], end.detail].filter(Boolean).join(': ')))
  out.say(t.allEnded, { event: 'allEnded' })
  return false
}

/** A promise with the function that ends it. */
function createEnd(): { promise: Promise<void>; resolve: () => void } {
  let resolve: () => void = () => undefined
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return { promise, resolve }
}
