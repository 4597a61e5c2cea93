import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { access, accounts, visits as contract } from '@busbar/contract'
import { portHeader, portLimits, tunnelHeader } from '@busbar/link'
import {
  createEnterprise,
  createEnterpriseMachine,
  createMember,
  createTeam,
  openAgentTunnel,
  openWindow,
  type TestMachine,
  type TestUser,
} from '@busbar/testkit'
import { useSite } from '@busbar/testkit/test-site.ts'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { newStreamId, PortAgent, port } from '../../test-support/ports/port-agent.ts'
import { openPorts, ProgramLine } from '../../test-support/ports/program-line.ts'

const deadline = { timeout: 10_000, interval: 10 }

const site = useSite()
let owner: TestUser
let machine: TestMachine
let agent: PortAgent

beforeEach(async () => {
  owner = await site.createUser({ name: '王磊' })
  machine = await site.createMachine({ owner: owner.userId })
  agent = await PortAgent.open(site, machine)
  onTestFinished(() => agent.tunnel?.close())
})

const visitor = async (grant: object = {}, name = 'Ann') => {
  const user = await site.createUser({ name })
  await site.grantMachine(user.userId, machine.machineId, { role: 'visitor', ...grant })
  return user
}
const endOf = (line: ProgramLine) => expect.poll(() => line.end, deadline)
/** `let in`, or why a person gets no visit of ports. */
const outcome = (user: TestUser, mode: contract.VisitMode, { machineId: machineID } = machine) =>
  openPorts(site, user, machineID, mode).then(
    () => 'let in',
    ({ code }) => code,
  )
const listOwn = async (user: TestUser) =>
  (await site.as(user).call(contract.listVisits, { page: 1, pageSize: 20 })).list

describe('a stream', () => {
  test('passes bytes and ends of both directions, and its visit counts them by port', async () => {
    const visit = await openPorts(site, owner, machine.machineId)
    expect(visit).toMatchObject({ mode: 'rw', connectUrl: `${site.url.replace('http', 'ws')}/visitPort` })
    const line = await visit.line()
    expect(line.texts[0]).toEqual({ open: { from: 0, mode: 'rw' } })
    const far = agent.lineOf(line.streamId)
    expect(far.headers).toMatchObject({
      ':method': 'CONNECT',
      ':authority': 'plc',
      [tunnelHeader.visit]: String(visit.sessionId),
      [tunnelHeader.user]: encodeURIComponent('王磊'),
      [tunnelHeader.mode]: 'rw',
      [tunnelHeader.until]: String(visit.expireAt),
      [portHeader.from]: '0',
      [portHeader.reach]: 'user',
    })
    expect(far.headers[portHeader.resume]).toBeUndefined()
    line.ws.send(Buffer.from('read 12'))
    line.tell({ got: 0 })
    line.tell({ end: true })
    await expect.poll(() => far.kinds, deadline).toEqual(['data', 'got', 'end'])
    expect(far.bytes).toBe('read 12')
    // Half closed: the other direction goes on.
    far.send({ kind: 'data', bytes: Buffer.from('answer') })
    far.send({ kind: 'got', position: 8 })
    far.send({ kind: 'counts', counts: { reads: 3, writes: 2, refused: 0 } })
    far.send({ kind: 'end' })
    await expect.poll(() => line.told('end'), deadline).toEqual([true])
    expect([line.bytes, line.told('got')]).toEqual(['answer', [8]])
    expect(line.told('counts')).toEqual([{ reads: 3, writes: 2, refused: 0 }])
    far.send({ kind: 'over' })
    await endOf(line).toBe('1000 over')
    await site.as(owner).call(contract.endVisit, { sessionId: visit.sessionId })
    const [listed] = await listOwn(owner)
    expect(listed).toMatchObject({ kind: 'tcp', mode: 'rw', bytesIn: 7, bytesOut: 6 })
    const counted = { streams: 1, bytesIn: 7, bytesOut: 6, reads: 3, writes: 2, refused: 0 }
    expect(listed?.ports).toEqual([{ name: 'plc', kind: 'modbus', ...counted }])
  })

  test('goes on over another line from the position that each end asks for', async () => {
    const visit = await openPorts(site, owner, machine.machineId)
    const first = await visit.line()
    const far = agent.lineOf(first.streamId)
    far.send({ kind: 'counts', counts: { reads: 5, writes: 0, refused: 0 } })
    await expect.poll(() => first.told('counts').length, deadline).toBe(1)
    first.ws.terminate()
    // The agent's line breaks; nothing tells it that the stream is over.
    await expect.poll(() => far.isClosed, deadline).toBe(true)
    expect(far.kinds).not.toContain('over')
    agent.answer = (line) => line.accept(41)
    const wish = { stream: first.streamId, from: 17, resume: true }
    const second = await visit.line(wish)
    expect(second.texts[0]).toEqual({ open: { from: 41, mode: 'rw' } })
    const again = agent.lineOf(first.streamId)
    expect(again.headers).toMatchObject({ [portHeader.from]: '17', [portHeader.resume]: '1' })
    again.send({ kind: 'counts', counts: { reads: 9, writes: 1, refused: 0 } })
    await expect.poll(() => second.told('counts').length, deadline).toBe(1)
    // A third line while the second is there takes its place.
    const third = await visit.line(wish)
    await endOf(second).toBe('4410 replaced')
    expect(third.end).toBeUndefined()
    await site.as(owner).call(contract.endVisit, { sessionId: visit.sessionId })
    const [listed] = await listOwn(owner)
    expect(listed?.ports).toMatchObject([{ streams: 1, reads: 9, writes: 1 }])
  })

  test('that the program ends is not kept by the agent', async () => {
    const visit = await openPorts(site, owner, machine.machineId)
    const line = await visit.line()
    const far = agent.lineOf(line.streamId)
    line.ws.send(Buffer.from('last'))
    line.tell({ close: true })
    await endOf(line).toMatch(/^1000/)
    await expect.poll(() => far.kinds, deadline).toEqual(['data', 'over'])
  })

  test('whose tunnel is lost says so, and is kept', async () => {
    const visit = await openPorts(site, owner, machine.machineId)
    const line = await visit.line()
    agent.tunnel?.close()
    await endOf(line).toBe('4503 machine')
    expect((await visit.line({ stream: line.streamId, resume: true }).catch((error) => error)).code).toBe(
      'ClOUD_VISIT_TIMEOUT',
    )
  })

  test('of a program that never reads stops the machine, and grows no memory', async () => {
    const visit = await openPorts(site, owner, machine.machineId)
    const line = await visit.line()
    line.ws.pause()
    const far = agent.lineOf(line.streamId)
    const bytes = Buffer.alloc(portLimits.frameBytesMax)
    let sent = 0
    // Windows of the tunnel, buffers of the platform and of the system take some; a hole would take all of it.
    const most = 64 * 1024 * 1024
    while (sent < most) {
      sent += bytes.length
      if (far.send({ kind: 'data', bytes })) continue
      const drained = new Promise((resolve) => far.stream.once('drain', () => resolve('drained')))
      const still = new Promise((resolve) => setTimeout(() => resolve('still'), 2_000))
      if ((await Promise.race([drained, still])) === 'still') break
    }
    expect(sent).toBeLessThan(most / 2)
    line.ws.resume()
    await expect.poll(() => line.chunks.reduce((sum, { length }) => sum + length, 0), deadline).toBe(sent)
  })
})

describe('a line is refused', () => {
  test('with a ticket that was used, ran out, or is guessed, and for a wrong query', async () => {
    const visit = await openPorts(site, owner, machine.machineId)
    const { connectUrl, ticket } = visit
    await ProgramLine.open(connectUrl, ticket)
    for (const wrong of [ticket, 'x'.repeat(43), 'x', ''])
      expect((await ProgramLine.open(connectUrl, wrong)).end).toBe('4401 ticket')
    const late = (await visit.again()).ticket
    await site.db
      .updateTable('visit_tickets')
      .set({ expires_at: new Date(Date.now() - 1) })
      .execute()
    expect((await ProgramLine.open(connectUrl, late)).end).toBe('4401 ticket')
    const fresh = (await visit.again()).ticket
    for (const wish of [{ stream: 'short' }, { from: '-1' }, { from: '1e3' }, { port: '' }])
      expect((await ProgramLine.open(connectUrl, fresh, wish)).end).toBe('4400 query')
    // A wrong query has not used it up.
    expect((await ProgramLine.open(connectUrl, fresh)).end).toBeUndefined()
    expect(agent.lines.length).toBe(2)
  })

  test('by the words of the agent', async () => {
    const visit = await openPorts(site, owner, machine.machineId)
    const ends: Record<number, string> = {
      403: '4403 notAllowed',
      404: '4404 port',
      409: '4409 connections',
      410: '4410 gone',
      500: '4503 machine',
      502: '4502 unreachable',
      504: '4502 unreachable',
    }
    for (const [status, end] of Object.entries(ends)) {
      agent.answer = ({ stream }) => {
        stream.respond({ ':status': Number(status) })
        stream.end('why')
      }
      expect((await visit.line()).end).toBe(end)
    }
    agent.answer = (line) => line.accept()
    expect((await visit.line({ port: '127.1:502' })).end).toBe('4404 port')
    expect((await visit.line({ port: 'agent' })).end).toBe('4404 port')
  })

  test('after the 8th of its visit', async () => {
    const visit = await openPorts(site, owner, machine.machineId)
    const lines: ProgramLine[] = []
    for (let count = 0; count < portLimits.streamsMax; count++) lines.push(await visit.line())
    expect((await visit.line()).end).toBe('4409 streams')
    lines[0]?.ws.terminate()
    const reached = agent.lineOf(lines[0]?.streamId ?? '')
    await expect.poll(() => reached.isClosed, deadline).toBe(true)
    expect((await visit.line()).end).toBeUndefined()
    expect(lines.slice(1).map(({ end }) => end)).toEqual(lines.slice(1).map(() => undefined))
  })

  test('by what it sends', async () => {
    const visit = await openPorts(site, owner, machine.machineId)
    const tooLong = Buffer.alloc(portLimits.frameBytesMax + 1)
    for (const wrong of ['hello', '[]', '{"got":-1}', '{"got":1,"end":true}', '{"got":"1"}', '{}']) {
      const line = await visit.line()
      line.ws.send(wrong)
      await endOf(line).toBe('4400 text')
      await expect.poll(() => agent.lineOf(line.streamId).kinds, deadline).toEqual(['over'])
    }
    const line = await visit.line()
    line.ws.send(tooLong)
    await endOf(line).toBe('4400 length')
  })
})

describe('rights', () => {
  test('of each kind of person', async () => {
    const maintainer = async (scopes: ('view' | 'control' | 'passthrough')[]) => {
      const { eid } = await createEnterprise(site.db)
      const user = await createMember(site.db, eid, 'member', ['maintain'])
      await openWindow(site.db, { eid, machineId: machine.machineId, scopes })
      const people = { memberIds: [user.userId], machineIds: [machine.machineId] }
      await createTeam(site.db, { eid, kind: 'maintain', ...people })
      return user
    }
    expect(await outcome(owner, 'ro')).toBe('let in')
    const bkey = await visitor({ role: 'bkey' })
    const watching = await visitor({ role: 'bkey', readOnly: true })
    const guest = await visitor()
    expect([await outcome(watching, 'rw'), await outcome(watching, 'ro')]).toEqual(['READ_ONLY', 'let in'])
    expect([await outcome(guest, 'rw'), await outcome(guest, 'ro')]).toEqual(['PORTS_NOT_ALLOWED', 'let in'])
    expect(await outcome(bkey, 'rw')).toBe('let in')
    expect(await outcome(await maintainer(['view', 'control']), 'rw')).toBe('PORTS_NOT_ALLOWED')
    const looking = await maintainer(['view', 'passthrough'])
    expect([await outcome(looking, 'rw'), await outcome(looking, 'ro')]).toEqual(['READ_ONLY', 'let in'])
    await site.as(bkey).call(contract.endVisit, { sessionId: (await listOwn(bkey))[0]?.sessionId ?? 0 })
    expect(await outcome(await maintainer(['view', 'control', 'passthrough']), 'rw')).toBe('let in')
    expect(await outcome(await site.createUser(), 'ro')).toBe('GENERAL_USER')
  })

  test('of members: by a team with control', async () => {
    const { eid } = await createEnterprise(site.db)
    const own = await createEnterpriseMachine(site.db, eid)
    const far = await PortAgent.open(site, own)
    onTestFinished(() => far.tunnel?.close())
    const member = async (rights: ('view' | 'control')[], isInTeam: boolean) => {
      const user = await createMember(site.db, eid, 'member', rights)
      const memberIds = isInTeam ? [user.userId] : []
      await createTeam(site.db, { eid, kind: 'manage', memberIds, machineIds: [own.machineId] })
      return outcome(user, 'rw', own)
    }
    expect(await member(['view'], true)).toBe('PORTS_NOT_ALLOWED')
    expect(await member(['control'], false)).toBe('PORTS_NOT_ALLOWED')
    expect(await member(['control'], true)).toBe('let in')
  })

  test('are listed by port, and held at each', async () => {
    const guest = await visitor()
    const list = async (user: TestUser) => {
      const { ports } = await site.as(user).call(contract.listPorts, { machineId: machine.machineId })
      return ports.map(({ name, mayChange, mayLook }) => [name, mayChange, mayLook])
    }
    expect(await list(owner)).toEqual([
      ['plc', true, true],
      ['shown', true, true],
      ['192.168.0.10:22', true, false],
    ])
    expect(await list(guest)).toEqual([
      ['plc', false, false],
      ['shown', false, true],
      ['192.168.0.10:22', false, false],
    ])
    const looks = await openPorts(site, owner, machine.machineId, 'ro')
    const inLook = await looks.line()
    expect(agent.lineOf(inLook.streamId).headers).toMatchObject({
      [tunnelHeader.mode]: 'ro',
      [portHeader.reach]: 'user',
    })
    expect((await looks.line({ port: '192.168.0.10:22' })).end).toBe('4403 lookOnly')
    const visits = await openPorts(site, guest, machine.machineId, 'ro')
    expect((await visits.line()).end).toBe('4403 notAllowed')
    expect((await visits.line({ port: '192.168.0.10:22' })).end).toBe('4403 lookOnly')
    const shown = await visits.line({ port: 'shown' })
    expect(agent.lineOf(shown.streamId).headers[portHeader.reach]).toBe('visitor')
    // Asking for control gives a visitor none at ports.
    await site.as(guest).call(contract.controlVisit, { sessionId: visits.sessionId, action: 'take' })
    expect((await listOwn(guest))[0]).toMatchObject({ controls: false, mode: 'ro' })
  })

  test('an agent without ports lists none, and opens none', async () => {
    const old = await site.createMachine({ owner: owner.userId })
    const far = await PortAgent.open(site, old, [])
    onTestFinished(() => far.tunnel?.close())
    const { ports } = await site.as(owner).call(contract.listPorts, { machineId: old.machineId })
    expect(ports).toEqual([])
    expect(await outcome(owner, 'rw', old)).toBe('PORTS_NONE')
  })

  test('one controller: a second person is refused, and a hand-over cuts lines that write', async () => {
    const bkey = await visitor({ role: 'bkey' })
    const mine = await openPorts(site, owner, machine.machineId)
    const writing = await mine.line()
    const looking = await (await openPorts(site, owner, machine.machineId, 'ro')).line()
    expect(looking.texts[0]).toEqual({ open: { from: 0, mode: 'ro' } })
    expect(await outcome(bkey, 'rw')).toBe('CONTROL_TAKEN')
    const theirs = await openPorts(site, bkey, machine.machineId, 'ro')
    const kept = (await mine.again()).ticket
    await site
      .as(owner)
      .call(contract.controlVisit, { sessionId: mine.sessionId, action: 'hand', to: theirs.sessionId })
    await endOf(writing).toBe('4403 replaced')
    await expect.poll(() => agent.lineOf(writing.streamId).kinds, deadline).toEqual(['over'])
    expect(looking.end).toBeUndefined()
    looking.ws.send(Buffer.from('read'))
    await expect.poll(() => agent.lineOf(looking.streamId).bytes, deadline).toBe('read')
    // The stream that wrote does not come back as one that looks.
    expect(await outcome(owner, 'rw')).toBe('CONTROL_TAKEN')
    const wish = { stream: writing.streamId, resume: true }
    expect((await ProgramLine.open(mine.connectUrl, kept, wish)).end).toBe('4403 replaced')
    const written = await openPorts(site, bkey, machine.machineId)
    expect((await written.line()).texts[0]).toEqual({ open: { from: 0, mode: 'rw' } })
  })

  test('lost: the program hears which, and the agent ends the stream', async () => {
    const bkey = await visitor({ role: 'bkey' })
    const visit = await openPorts(site, bkey, machine.machineId)
    const line = await visit.line()
    const ticket = (await visit.again()).ticket
    const { id } = await site.db
      .selectFrom('machine_grants')
      .select('id')
      .where('user_id', '=', bkey.userId)
      .executeTakeFirstOrThrow()
    // A visitor may enter, but what is open goes: it was entered by a right to use ports.
    await site.as(owner).call(access.updateLevel, { id, limit: 0 })
    await endOf(line).toBe('4403 rightLost')
    await expect.poll(() => agent.lineOf(line.streamId).kinds, deadline).toEqual(['over'])
    expect((await ProgramLine.open(visit.connectUrl, ticket, { stream: newStreamId() })).end).toBe(
      '4403 rightLost',
    )
  })
})

test('a program’s own session opens ports, and takes them along when it signs out', async () => {
  await site.db
    .updateTable('sessions')
    .set({ program: 'connect' })
    .where('id', '=', owner.sessionId)
    .execute()
  const visit = await openPorts(site, owner, machine.machineId)
  const line = await visit.line()
  expect(line.texts[0]).toEqual({ open: { from: 0, mode: 'rw' } })
  await site.as(owner).call(accounts.logout, {})
  await endOf(line).toBe('4403 signedOut')
})

test('with the agent itself, a cut closes the connection to the controller', async () => {
  const sockets: Socket[] = []
  const controller = createServer((socket) => {
    sockets.push(socket)
    socket.on('error', () => undefined)
    socket.pipe(socket)
  }).listen(0, '127.0.0.1')
  await once(controller, 'listening')
  onTestFinished(() => void controller.close())
  const own = await site.createMachine({ owner: owner.userId })
  const address = { host: '127.0.0.1', port: (controller.address() as AddressInfo).port }
  const config = { name: 'plc', kind: 'other', note: '', look: 'nobody', connections: 4 } as const
  const real = await openAgentTunnel(site, own, { ports: [{ ...address, ...config }] })
  onTestFinished(() => real.stop())
  const list = async () => (await site.as(owner).call(contract.listPorts, { machineId: own.machineId })).ports
  expect(await list()).toMatchObject([{ name: 'plc', roundTripMs: null, mayChange: true, mayLook: false }])
  const visit = await openPorts(site, owner, own.machineId)
  const line = await visit.line()
  line.ws.send(Buffer.from('hello'))
  await expect.poll(() => line.bytes, deadline).toBe('hello')
  expect(await list()).toMatchObject([{ roundTripMs: expect.any(Number) }])
  // A line that breaks keeps it, and nothing of the stream is lost.
  line.ws.terminate()
  const next = await visit.line({ stream: line.streamId, from: 5, resume: true })
  expect(next.texts[0]).toEqual({ open: { from: 5, mode: 'rw' } })
  next.ws.send(Buffer.from(' again'))
  await expect.poll(() => next.bytes, deadline).toBe(' again')
  expect(sockets.map(({ destroyed }) => destroyed)).toEqual([false])
  await site.as(owner).call(contract.endVisit, { sessionId: visit.sessionId })
  await endOf(next).toBe('4403 ended')
  await expect.poll(() => sockets.map(({ destroyed }) => destroyed), deadline).toEqual([true])
})

test('a visit joins that of its session, and tickets come over the open line', async () => {
  const visit = await openPorts(site, owner, machine.machineId)
  expect((await visit.again()).sessionId).toBe(visit.sessionId)
  const line = await visit.line()
  await expect.poll(() => line.told('ticket').length, deadline).toBe(1)
  const [ticket] = line.told('ticket') as string[]
  const next = await ProgramLine.open(visit.connectUrl, ticket ?? '')
  expect(next.texts[0]).toEqual({ open: { from: 0, mode: 'rw' } })
})

test('ports that an agent names like itself are not listed', async () => {
  const odd = await site.createMachine({ owner: owner.userId })
  const far = await PortAgent.open(site, odd, [port('agent'), port('plc')])
  onTestFinished(() => far.tunnel?.close())
  expect(await site.refusalOf(owner, contract.listPorts, { machineId: odd.machineId })).toBe(
    'ClOUD_VISIT_TIMEOUT',
  )
})
