import { once } from 'node:events'
import { Agent } from 'node:http'
import { connect } from 'node:net'
import { projectData } from '@busbar/contract'
import { generate } from 'mqtt-packet'
import { call, repeat } from './attack-calls.ts'
import type { AttackTarget } from './attack-target.ts'

const connections = 16
const projects = 1_000

/** Strangers guess the keys of projects: at the pull, at the address of a visit, and at our MQTT endpoint. */
export async function guessProjectKeys(order: AttackTarget, isOver: () => boolean): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  let turn = 0
  const sent = await repeat(connections, isOver, () => {
    const id = String((++turn % projects) + 1)
    const key = String(turn).padStart(64, '0')
    if (turn % 4 === 0) return signIn(order, id, key)
    const { method, path } = turn % 2 ? projectData.pullRows : projectData.getEmbeddedVisit
    const authorization = `Basic ${Buffer.from(`${id}:${key}`).toString('base64')}`
    return call(order, agent, { method, path, headers: { authorization } })
  })
  agent.destroy()
  return sent
}

async function signIn({ mqttPort }: AttackTarget, username: string, key: string): Promise<number> {
  const socket = connect(mqttPort, '127.0.0.1')
  const password = Buffer.from(key)
  socket.resume()
  const session = { clientId: 'guess', clean: true, keepalive: 0 }
  socket.write(
    generate({ cmd: 'connect', protocolId: 'MQTT', protocolVersion: 4, ...session, username, password }),
  )
  await once(socket, 'close')
  return 1
}
