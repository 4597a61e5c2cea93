import { once } from 'node:events'
import { Agent } from 'node:http'
import { connect, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient, destinations, projectData, projectLimits, projects, rates } from '@busbar/contract'
import { generate } from 'mqtt-packet'
import { call, repeat } from './attack-calls.ts'
import type { AttackTarget } from './attack-target.ts'
import { openMachine, valuesFrom } from './mqtt-attacks.ts'

const connections = 16
/** A project has so many places for sessions that a client asks to keep. */
const sessions = 5
const valuesEveryMs = 100
const guessedProjects = 1_000
/** Until rows reach a destination, on a machine that does other work, too. */
const calledMsMax = 60_000

/** Strangers guess the keys of projects: at the pull, at the address of a visit, and at our MQTT endpoint. */
export async function guessProjectKeys(order: AttackTarget, isOver: () => boolean): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  let turn = 0
  const sent = await repeat(connections, isOver, () => {
    const id = String((++turn % guessedProjects) + 1)
    const key = String(turn).padStart(64, '0')
    if (turn % 4 === 0) return signIn(order, id, key)
    const { method, path } = turn % 2 ? projectData.pullRows : projectData.getEmbeddedVisit
    const authorization = `Basic ${Buffer.from(`${id}:${key}`).toString('base64')}`
    return call(order, agent, { method, path, headers: { authorization } })
  })
  agent.destroy()
  return sent
}

async function signIn(order: AttackTarget, username: string, key: string): Promise<number> {
  const socket = openSession(order, { username, key, clientId: 'guess', clean: true })
  socket.resume()
  await once(socket, 'close')
  return 1
}

function openSession(
  { mqttPort }: AttackTarget,
  { key, ...session }: { username: string; key: string; clientId: string; clean: boolean },
): Socket {
  const socket = connect(mqttPort, '127.0.0.1')
  socket.on('error', () => socket.destroy())
  const password = Buffer.from(key)
  socket.write(
    generate({ cmd: 'connect', protocolId: 'MQTT', protocolVersion: 4, keepalive: 0, ...session, password }),
  )
  return socket
}

/** A project of the attacker, with destinations at a receiver that takes connections and never reads from them. */
async function openProject({ url, token, receiverPort }: AttackTarget, targets: number) {
  const opened = new Set<Socket>()
  const receiver = createServer({ pauseOnConnect: true }, (socket) => {
    opened.add(socket)
    socket.on('error', () => socket.destroy())
  })
  await once(receiver.listen(receiverPort, '127.0.0.1'), 'listening')
  const client = createClient({ baseUrl: url, lang: () => 'en', token: () => token })
  const { id } = await client.call(projects.createProject, { name: 'Flood' })
  const target = { id, name: 'MES', type: 'webhook', url: `http://127.0.0.1:${receiverPort}` } as const
  const targetIds: number[] = []
  while (targetIds.length < targets)
    targetIds.push((await client.call(destinations.createDestination, target)).targetId)
  const close = () => {
    for (const socket of opened) socket.destroy()
    receiver.close()
  }
  return { id, client, opened, targetIds, close }
}

/** Values of a machine become rows that nobody takes: webhooks never read, and clients never acknowledge. */
export async function leaveRowsUnread(order: AttackTarget, isOver: () => boolean): Promise<number> {
  const { id, client, opened, close } = await openProject(order, projectLimits.destinations)
  await client.call(projects.updateProject, { id, everyS: 0 })
  await client.call(projects.addProjectMachine, { id, machineId: order.machineId })
  const [project] = await client.call(projects.listProjects, { id })
  const key = project?.secret_key ?? ''
  const readers = Array.from({ length: sessions }, (_, n) => {
    const socket = openSession(order, { username: String(id), key, clientId: `reader-${n}`, clean: false })
    const subscriptions = [{ topic: `data/${id}/#`, qos: 1 as const }]
    socket.write(generate({ cmd: 'subscribe', messageId: 1, subscriptions }))
    return socket.pause()
  })
  const givesUpAt = performance.now() + calledMsMax
  const isCalled = () => opened.size >= projectLimits.destinations
  // Its time begins when each destination was called.
  const sent = await sendValues(order, () => (isCalled() ? isOver() : performance.now() >= givesUpAt))
  const wasCalled = isCalled()
  for (const socket of readers) socket.destroy()
  close()
  await client.call(projects.deleteProject, { id })
  return wasCalled ? sent : 0
}

async function sendValues(order: AttackTarget, isOver: () => boolean): Promise<number> {
  return repeat(order.machines.length, isOver, async (loop) => {
    const socket = await openMachine(order, order.machines[loop] as AttackTarget['machines'][number])
    let sent = 0
    while (!isOver() && !socket.destroyed) {
      socket.write(valuesFrom(sent++))
      await sleep(valuesEveryMs)
    }
    socket.destroy()
    return sent
  })
}

/** Tests of a destination that never answers; answers how many ended, unless more went out than may. */
export async function pressTests(order: AttackTarget, isOver: () => boolean): Promise<number> {
  const { opened, targetIds, close } = await openProject(order, 1)
  const path = destinations.testDestination.path.replace(':id', String(targetIds[0]))
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const headers = { token: order.token, 'content-type': 'application/json' }
  // Those that wait for the receiver wait longer than the flood.
  const ending = setInterval(() => isOver() && agent.destroy(), 100)
  const sent = await repeat(connections, isOver, () =>
    call(order, agent, { method: 'POST', path, headers, body: '{}' }),
  )
  clearInterval(ending)
  close()
  const isLimited = opened.size > 0 && opened.size <= rates.destinationTests.callsPerUserMax
  return isLimited ? sent : 0
}
