import { expect, test } from 'vitest'
import { parsePortRange, RemotePorts } from './ports.ts'

const modbus = (port?: number) => ({ driver: 'modbus-tcp', host: '192.168.0.7', ...(port ? { port } : {}) })
const opcua = (url: string) => ({ driver: 'opcua', url })

test('each kind of driver has its usual port and no other', () => {
  const ports = new RemotePorts(null, null)
  for (const connection of [
    modbus(),
    modbus(502),
    { driver: 'modbus-rtu', line: { host: '192.168.0.7', port: 502 } },
    opcua('opc.tcp://192.168.0.7'),
    opcua('opc.tcp://[fd00::7]:4840/plant'),
    { driver: 's7', host: '192.168.0.7', port: 102 },
  ])
    expect(ports.refusal(connection), JSON.stringify(connection)).toBeNull()
  for (const connection of [
    modbus(22),
    modbus(4840),
    { driver: 'modbus-rtu', line: { host: '192.168.0.7', port: 4001 } },
    opcua('opc.tcp://192.168.0.7:502'),
    { driver: 's7', host: '192.168.0.7', port: 502 },
  ])
    expect(ports.refusal(connection), JSON.stringify(connection)).toMatch(/^is port \d+, which is outside/)
})

test('ports of the file stand in place of the usual one of their kind', () => {
  const ports = new RemotePorts({ 'modbus-tcp': [{ first: 1500, last: 1510 }] }, null)
  expect([1500, 1510].map((port) => ports.refusal(modbus(port)))).toEqual([null, null])
  expect(ports.refusal(modbus(1511))).toBe(
    "is port 1511, which is outside the ports that the agent's file allows: 1500-1510",
  )
  expect(ports.refusal(modbus(502))).not.toBeNull()
  expect(ports.refusal(opcua('opc.tcp://192.168.0.7'))).toBeNull()
})

test('a connection from before files named ports stays, but none beside it, and not once the file names ports', () => {
  const kept = { connections: [{ name: 'press', ...modbus(1502), tags: [] }] }
  const ports = new RemotePorts(null, kept)
  expect(ports.refusal(modbus(1502))).toBeNull()
  expect(ports.isUsual(modbus(1502))).toBe(false)
  expect(ports.refusal({ ...modbus(1502), host: '192.168.0.8' })).not.toBeNull()
  expect(new RemotePorts({}, kept).refusal(modbus(1502))).not.toBeNull()
})

test('a range is one port or two in order', () => {
  expect(parsePortRange('502')).toEqual({ first: 502, last: 502 })
  expect(parsePortRange('1500-1510')).toEqual({ first: 1500, last: 1510 })
  for (const text of ['0', '65536', '510-500', '-1', '1-', 'http', '5.2', '1-2-3', ''])
    expect(parsePortRange(text), text).toBeNull()
})
