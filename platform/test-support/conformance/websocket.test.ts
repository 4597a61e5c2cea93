import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { gatewayLimits } from '../../src/edge/limits.ts'
import { registerUpgrades } from '../../src/kernel/http/upgrades.ts'
import { both, type ConformanceRig, startConformanceRig } from './conformance-rig.ts'
import {
  bytes,
  disconnect,
  goodbye,
  packet,
  pingRequest,
  pingResponse,
  publish,
  telemetryTopic,
  type Version,
} from './wire.ts'
import { WireClient } from './wire-client.ts'

let rig: ConformanceRig
let server: Server
let url: string

/** The gateway behind the web port's own upgrades. */
beforeAll(async () => {
  rig = await startConformanceRig()
  server = createServer()
  registerUpgrades(
    { onUpgrade: (listener) => server.on('upgrade', listener) },
    {
      push: (ws) => ws.close(),
      mqttFrameBytesMax: gatewayLimits.packetBytesMax,
      admitMqtt: (address) => rig.test.gateway.admit(address),
      mqtt: (ws, address, newcomer) => rig.test.gateway.acceptWebSocket(ws, address, newcomer),
      admitTunnel: async () => ({ refused: '503 Service Unavailable' }),
      visitPort: (ws) => ws.close(),
      addressOf: (request) => request.socket.remoteAddress ?? '',
      limits: { takeByAddress: async () => {} },
    },
  )
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}/mqtt`
})

afterAll(async () => {
  await rig.test.stop()
  server.close()
})

async function login(version: Version, will?: { topic: string; payload: string }) {
  const machine = await rig.test.createMachine()
  const ws = new WebSocket(url, 'mqtt')
  await once(ws, 'open')
  const client = WireClient.over(ws)
  client.send(rig.connect(version, machine, will ? { will } : {}))
  expect(await client.next()).toMatch(/^20 .. 00 00/)
  return { ws, client, machine }
}

it('the subprotocol mqtt is chosen', async () => {
  for (const offered of [['mqtt'], ['mqttv3.1', 'mqtt'], ['a', 'mqtt', 'b']]) {
    const ws = new WebSocket(url, offered)
    await once(ws, 'open')
    expect(ws.protocol).toBe('mqtt')
    ws.terminate()
  }
})

both('packets need no frames of their own', async (version) => {
  const { client } = await login(version)
  const stream = bytes(publish(version, { packetId: 1, payload: '{}' }), pingRequest, pingRequest)
  client.send(stream)
  expect((await client.take(3)).sort()).toEqual(['40 02 00 01', pingResponse, pingResponse])
  for (const byte of stream) client.send(bytes(byte))
  expect((await client.take(3)).sort()).toEqual(['40 02 00 01', pingResponse, pingResponse])
  client.destroy()
})

both('a text frame closes, says the will, and nothing after it is heard', async (version) => {
  const will = { topic: telemetryTopic, payload: '{"gone":1}' }
  const { ws, client, machine } = await login(version, will)
  ws.send('text')
  client.send(publish(version))
  expect(await client.rest()).toEqual([])
  await expect
    .poll(async () => (await rig.test.samples(machine.machineId)).map(({ tag }) => tag))
    .toEqual(['gone'])
})

both('a WebSocket client gets the answers a TCP client gets', async (version) => {
  const { client, machine } = await login(version)
  client.send(publish(version))
  expect(await client.next()).toBe('40 02 00 01')
  expect(await rig.test.samples(machine.machineId)).toHaveLength(1)
  client.send(packet(0x36))
  expect(await client.rest()).toEqual(goodbye(version, 0x81))
  const { client: polite } = await login(version)
  polite.send(disconnect)
  expect(await polite.rest()).toEqual([])
})
