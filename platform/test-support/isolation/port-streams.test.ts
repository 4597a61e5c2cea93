import { randomBytes } from 'node:crypto'
import { visits } from '@busbar/contract'
import { signIn } from '@busbar/testkit'
import { port } from '../ports/port-agent.ts'
import { type LineWish, openPorts, type PortVisit, ProgramLine } from '../ports/program-line.ts'
import {
  changed,
  goodPort,
  type PortRig,
  readRequest,
  sendOn,
  startPortRig,
  weakEntry,
  weakList,
} from './testing/port-rig.ts'
import { until } from './testing/rig.ts'
import { describeIsolation, type Vector } from './testing/vector.ts'

/** Spellings and names that the careless machine does not list; its agent would open each. */
const wrongNames = [
  ...['127.1:502', '127.0.0.1:502', '[::ffff:127.0.0.1]:502', 'PLC', ' plc', 'plc\r\nbusbar-reach: user'],
  ...['agent', 'page', 'only-of-the-good-machine', '192.168.0.10:022', '192.168.0.10'],
]

const hourMs = 3_600_000
const noAccount = {
  sent: () => undefined,
  received: () => undefined,
  active: () => undefined,
  release: () => undefined,
}
const alwaysPasses = { mayPass: () => true, whenMayPass: async () => true }

async function openLine(rig: PortRig, ticket: string, wish: LineWish = {}): Promise<ProgramLine> {
  const url = `${rig.site.url.replace('http', 'ws')}/visitPort`
  const line = await ProgramLine.open(url, ticket, { port: goodPort, ...wish })
  rig.lines.push(line)
  return line
}

/** The victim at the good machine: a visit that looks, and a line of it whose stream has carried a request. */
async function openVictim(rig: PortRig): Promise<{ visit: PortVisit; line: ProgramLine }> {
  const visit = await openPorts(rig.site, rig.victim, rig.good.machine.machineId, 'ro')
  const line = await openLine(rig, visit.ticket)
  await sendOn(line, rig.good.controller, 1)
  return { visit, line }
}

/** The victim's stream goes on, and the controller got from it, and from it alone, what it sent. */
async function stillAlone(rig: PortRig, line: ProgramLine) {
  await sendOn(line, rig.good.controller, 1)
  const both = Buffer.concat([readRequest, readRequest]).toString('latin1')
  return { saw: [line.end, rig.good.controller.arrived], wanted: [undefined, [both]] }
}

/** A line that a ticket must not open. */
const refusedTicket = (
  name: string,
  ticketOf: (rig: PortRig, visit: PortVisit) => string | Promise<string>,
): Vector<PortRig> => ({
  name,
  async attack(rig) {
    const { visit, line } = await openVictim(rig)
    const attacker = await openLine(rig, await ticketOf(rig, visit))
    if (attacker.end === undefined) await sendOn(attacker, rig.good.controller, 1)
    return { client: { saw: attacker.end, wanted: '4401 ticket' }, beyond: await stillAlone(rig, line) }
  },
})

/** A visit of somebody else that goes on with the victim's stream. */
const takenStream = (
  name: string,
  sessionOf: (rig: PortRig) => Promise<{ token: string }>,
): Vector<PortRig> => ({
  name,
  async attack(rig) {
    const { line } = await openVictim(rig)
    const request = { machineID: rig.good.machine.machineId, terminalID: 'attacker', mode: 'ro' } as const
    const { ticket } = await rig.site.as(await sessionOf(rig)).call(visits.openPorts, request)
    const attacker = await openLine(rig, ticket, { stream: line.streamId, from: 0, resume: true })
    return {
      client: { saw: [attacker.end, attacker.bytes], wanted: ['4410 gone', ''] },
      beyond: await stillAlone(rig, line),
    }
  },
})

/** A line to the careless machine that must not reach its agent. */
const refusedPort = (name: string, ports: readonly string[], wanted: string): Vector<PortRig> => ({
  name,
  async attack(rig) {
    const { site, victim, careless } = rig
    const visit = await openPorts(site, victim, careless.machine.machineId, 'ro')
    const ends: unknown[] = []
    for (const one of ports) {
      const { ticket } = await visit.again()
      const line = await openLine(rig, ticket, { port: one })
      ends.push(line.end)
      line.ws.terminate()
    }
    return {
      client: { saw: ends, wanted: ports.map(() => wanted) },
      beyond: { saw: careless.lines.map(({ headers }) => headers[':authority']), wanted: [] },
    }
  },
})

const tickets = [
  refusedTicket('a ticket that is guessed', () => randomBytes(32).toString('base64url')),
  refusedTicket('the victim’s session in place of a ticket', ({ victim }) => victim.token),
  refusedTicket('a ticket that is used twice', (_, visit) => visit.ticket),
  refusedTicket('a ticket that is too old', async ({ site }, visit) => {
    const { ticket } = await visit.again()
    await site.db
      .updateTable('visit_tickets')
      .set({ expires_at: new Date(Date.now() - 1_000) })
      .execute()
    return ticket
  }),
]

/** A visit of the other person at the careless machine, whose first ticket a line has used. */
async function openSecond(rig: PortRig) {
  const visit = await openPorts(rig.site, rig.other, rig.careless.machine.machineId, 'ro')
  return { visit, line: await openLine(rig, visit.ticket) }
}

const streams: Vector<PortRig>[] = [
  takenStream('the stream of another person', async ({ other }) => other),
  takenStream('the stream of the same person’s other session', ({ site, victim }) =>
    signIn(site.db, victim.userId),
  ),
  {
    name: 'a ticket of one machine, to reach another',
    async attack(rig) {
      const { line } = await openVictim(rig)
      const { line: attacker } = await openSecond(rig)
      if (rig.careless.lines.length === 0) await sendOn(attacker, rig.good.controller, 1)
      return {
        client: { saw: [attacker.end, rig.careless.lines.length], wanted: [undefined, 1] },
        beyond: await stillAlone(rig, line),
      }
    },
  },
]

const ports = [
  refusedPort('names and spellings that the agent does not list', wrongNames, '4404 port'),
  refusedPort(
    'a port that cannot be only looked at, in a view-only visit',
    ['192.168.0.10:22'],
    '4403 lookOnly',
  ),
]

const cuts: Vector<PortRig>[] = [
  {
    name: 'bytes over an open line after its visit ended',
    async attack(rig) {
      const { visit, line } = await openVictim(rig)
      const { site, victim, good } = rig
      await site.as(victim).call(visits.endVisit, { sessionId: visit.sessionId })
      await sendOn(line, good.controller, 3)
      return {
        client: { saw: line.end, wanted: '4403 ended' },
        beyond: { saw: good.controller.arrived, wanted: [readRequest.toString('latin1')] },
      }
    },
  },
  {
    name: 'a ticket of a visit that ended',
    async attack(rig) {
      const { visit, line } = await openVictim(rig)
      const { site, victim, good } = rig
      await until(() => line.told('ticket').length > 0, 'a ticket')
      await site.as(victim).call(visits.endVisit, { sessionId: visit.sessionId })
      const next = await openLine(rig, String(line.told('ticket')[0]))
      if (next.end === undefined) await sendOn(next, good.controller, 1)
      return {
        client: { saw: next.end, wanted: '4403 ended' },
        beyond: { saw: good.controller.arrived, wanted: [readRequest.toString('latin1')] },
      }
    },
  },
]

describeIsolation(
  'a stream to a port that is not the program’s own',
  startPortRig,
  [...tickets, ...streams, ...ports, ...cuts],
  [
    {
      name: 'the look-up of tickets',
      start: () =>
        startPortRig(
          weakEntry((enter) => {
            let last: Awaited<ReturnType<typeof enter>> = 'unknown'
            return async (ticket, now) => {
              const found = await enter(ticket, now)
              if (found !== 'unknown') last = found
              return last
            }
          }),
        ),
      falls: ['a ticket that is guessed', 'the victim’s session in place of a ticket'],
    },
    {
      name: 'the one use of tickets',
      start: () =>
        startPortRig(
          weakEntry((enter) => {
            const used = new Map<string, ReturnType<typeof enter>>()
            return (ticket, now) => {
              const found = used.get(ticket) ?? enter(ticket, now)
              used.set(ticket, found)
              return found
            }
          }),
        ),
      falls: ['a ticket that is used twice'],
    },
    {
      name: 'the time of tickets',
      start: () => startPortRig(weakEntry((enter) => (ticket, now) => enter(ticket, now - hourMs))),
      falls: ['a ticket that is too old'],
    },
    {
      name: 'the visit that the agent is told',
      start: () =>
        startPortRig(
          weakEntry((enter) => {
            let first: number | undefined
            return async (ticket, now) => {
              const found = await enter(ticket, now)
              if (typeof found === 'string' || 'ended' in found) return found
              first ??= found.visit.visitId
              return { ...found, visit: changed(found.visit, { visitId: first }) }
            }
          }),
        ),
      falls: ['the stream of another person', 'the stream of the same person’s other session'],
    },
    {
      name: 'the machine that a ticket is for',
      start: () =>
        startPortRig(
          weakEntry((enter, rig) => async (ticket, now) => {
            const found = await enter(ticket, now)
            if (typeof found === 'string' || 'ended' in found) return found
            const { machineId } = rig().good.machine
            return { ...found, visit: changed(found.visit, { machineId }) }
          }),
        ),
      falls: ['a ticket of one machine, to reach another'],
    },
    {
      name: 'the agent’s list of ports',
      start: () =>
        startPortRig(
          weakList((listed) => [
            ...listed,
            ...wrongNames.map((name) => port(name, { kind: 'modbus', look: 'users' })),
          ]),
        ),
      falls: ['names and spellings that the agent does not list'],
    },
    {
      name: 'the ports that can be only looked at',
      start: () =>
        startPortRig(weakList((listed) => listed.map((one) => ({ ...one, kind: 'modbus', look: 'users' })))),
      falls: ['a port that cannot be only looked at, in a view-only visit'],
    },
    {
      name: 'the cut of open lines',
      start: () =>
        startPortRig(
          weakEntry((enter) => async (ticket, now) => {
            const found = await enter(ticket, now)
            if (typeof found === 'string' || 'ended' in found) return found
            const { visit } = found
            const hold: typeof visit.hold = (_, mode) => {
              const held = visit.hold({ cut: () => undefined }, mode)
              return held && { ...held, ...alwaysPasses }
            }
            return { ...found, visit: changed(visit, { hold }) }
          }),
        ),
      falls: ['bytes over an open line after its visit ended'],
    },
    {
      name: 'the end of a visit for its further lines',
      start: () =>
        startPortRig(
          weakEntry((enter) => {
            let last: Awaited<ReturnType<typeof enter>> = 'unknown'
            return async (ticket, now) => {
              const found = await enter(ticket, now)
              if (typeof found === 'string') return found
              if (!('ended' in found)) {
                const hold = () => ({ ...noAccount, ...alwaysPasses })
                last = { ...found, visit: changed(found.visit, { hold }) }
                return found
              }
              return last
            }
          }),
        ),
      falls: ['a ticket of a visit that ended'],
    },
  ],
)
