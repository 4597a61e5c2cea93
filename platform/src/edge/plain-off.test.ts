import { once } from 'node:events'
import { connect } from 'node:net'
import { createTestDatabase } from '@busbar/testkit/database.ts'
import { findFreePort } from '@busbar/testkit/free-port.ts'
import { expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { ConfigError, readConfig } from '../config.ts'
import { closePools, connectionsMin, openPools, splitConnections } from '../kernel/database/pools.ts'
import { silentLogger } from '../kernel/logger.ts'
import { createPlatform } from '../platform.ts'

it('MQTT_PLAIN=0 opens no MQTT listener without TLS, and WebSocket keeps serving', async () => {
  const database = await createTestDatabase()
  const pools = openPools(database.connection, splitConnections(connectionsMin))
  const config = readConfig({ LOG_LEVEL: 'silent', MQTT_PLAIN: '0' })
  const platform = await createPlatform({ pools, config, logger: silentLogger })
  const plainPort = await findFreePort('127.0.0.1')
  const { webPort, mqttPort } = await platform.start({ web: 0, mqtt: plainPort })
  expect(mqttPort).toBeUndefined()
  const [error] = await once(connect({ port: plainPort, host: '127.0.0.1' }), 'error')
  expect(error).toMatchObject({ code: 'ECONNREFUSED' })
  const ws = new WebSocket(`ws://127.0.0.1:${webPort}/mqtt`, 'mqtt')
  await once(ws, 'open')
  ws.terminate()
  await platform.stop()
  await closePools(pools)
  await database.drop()
})

it('MQTT_PLAIN=0 is refused for a demo, whose machines use it', () => {
  expect(() => readConfig({ MQTT_PLAIN: '0', BUSBAR_DEMO: '1' })).toThrow(ConfigError)
  expect(readConfig({ BUSBAR_DEMO: '1' }).MQTT_PLAIN).toBe(true)
})
