import { expect, it } from 'vitest'
import { connectionOf, valuesOf } from './connection-values.ts'
import { connectionTo, countHosts, firstPartOf, isScannable, leadsThere } from './scans.ts'

it('a scan takes up to 1,024 addresses, and a part of a wider network', () => {
  expect(
    ['192.168.0.0/24', '192.168.0.7/32', '10.0.0.0/22', 'fd00::/64', '300.0.0.0/24'].map(countHosts),
  ).toEqual([254, 1, 1_022, undefined, undefined])
  expect(isScannable('10.0.0.0/16')).toBe(false)
  expect(firstPartOf('10.0.0.0/16')).toBe('10.0.0.0/24')
  expect(firstPartOf('10.0.4.0/23')).toBe('10.0.4.0/23')
})

it('a controller that was found becomes a connection, and is then known', () => {
  const modbus = { kind: 'modbus-tcp', address: '10.0.0.7', port: 502, name: '' }
  const opcua = { kind: 'opcua', address: '10.0.0.8', port: 4840, name: 'Line 1/Press' }
  expect(connectionTo(modbus, 'Modbus TCP')).toEqual({
    ...{ driver: 'modbus-tcp', name: 'Modbus TCP 10.0.0.7', host: '10.0.0.7', port: 502 },
  })
  expect(connectionTo(opcua, 'OPC UA')).toEqual({
    ...{ driver: 'opcua', name: 'Line 1_Press', url: 'opc.tcp://10.0.0.8:4840' },
  })
  for (const found of [modbus, opcua]) expect(leadsThere(connectionTo(found, 'PLC'), found)).toBe(true)
  expect(leadsThere({ driver: 'modbus-tcp', host: '10.0.0.7', port: 503 }, modbus)).toBe(false)
})

it('an S7 controller keeps its port, which its form does not show', () => {
  const connection = connectionTo({ kind: 's7', address: '10.0.0.9', port: 1102, name: 'CPU' }, 'S7')
  expect(connectionOf(valuesOf(connection, 's7'), connection)).toMatchObject({ host: '10.0.0.9', port: 1102 })
})
