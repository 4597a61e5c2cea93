import { expect, test } from 'vitest'
import { readConfigText } from '../../config/config-text.ts'
import { checkConfig } from '../../config/parse-config.ts'
import { parseS7Address } from './address.ts'
import kind from './driver-file.ts'

function parse(connection: string, tag = 'address: DB10.DBD4') {
  const text = `cloud: { url: "mqtt://h", code: 0000000000000000001, secret: s }
connections:
  - { driver: s7, host: plc, ${connection}, tags: [{ name: a, ${tag} }] }
`
  return checkConfig(readConfigText(text), new Map([[kind.kind, kind]])).connections[0]
}

test('rack and slot, or TSAPs', () => {
  expect(parse('slot: 2')).toMatchObject({ port: 102, remoteTsap: 0x0302, localTsap: 0x0100 })
  expect(parse('rack: 1, slot: 3, connection: pg')).toMatchObject({ remoteTsap: 0x0123 })
  expect(parse('remoteTsap: "10.01", localTsap: "10.00"')).toMatchObject({
    remoteTsap: 0x1001,
    localTsap: 0x1000,
  })
})

test.each([
  ['DB10.DBD4', 'DB', 10, 4, null, 'DWORD', 0],
  ['%DB10.DBX4.3', 'DB', 10, 4, 3, 'BOOL', 0],
  ['db10,real4', 'DB', 10, 4, null, 'REAL', 0],
  ['DB10,R4', 'DB', 10, 4, null, 'REAL', 0],
  ['DB10,DI4', 'DB', 10, 4, null, 'DINT', 0],
  ['DB10,X4.7', 'DB', 10, 4, 7, 'BOOL', 0],
  ['DB10,STRING20.30', 'DB', 10, 20, null, 'STRING', 30],
  ['DB10,WSTRING20', 'DB', 10, 20, null, 'WSTRING', 254],
  ['DB10,S5TIME20', 'DB', 10, 20, null, 'S5TIME', 0],
  ['M10.3', 'M', 0, 10, 3, 'BOOL', 0],
  ['MW10', 'M', 0, 10, null, 'WORD', 0],
  ['M,LREAL8', 'M', 0, 8, null, 'LREAL', 0],
  ['E0.1', 'I', 0, 0, 1, 'BOOL', 0],
  ['AB4', 'Q', 0, 4, null, 'BYTE', 0],
  ['T5', 'T', 0, 10, null, 'TIMER', 0],
  ['Z7', 'C', 0, 14, null, 'COUNTER', 0],
])('%s', (text, area, db, start, bit, type, length) => {
  expect(parseS7Address(text)).toMatchObject({ area, db, start, bit, format: { type, length } })
})

test.each([
  ...[
    '',
    'DB0.DBW0',
    'DB10.DBX4',
    'DB10.DBX4.8',
    'DB10.DBW4.1',
    'DB10.DB4.1',
    'M10',
    'MW',
    'MW65535',
    'DB65536.DBB0',
  ],
  ...[
    'DB10,REAL',
    'DB10,REAL4.1',
    'DB10,X4',
    'DB10,STRING4.0',
    'DB10,STRING4.255',
    'DB10,TIMER4',
    'V10',
    'P#M0.0',
  ],
])('%s is not an address', (text) => {
  expect(parseS7Address(text)).toBeNull()
})

test('a type says more of a place whose width alone is named', () => {
  expect(parse('slot: 1', 'address: DB10.DBD4, type: real')).toMatchObject({
    tags: [{ type: 'float32', address: { format: { type: 'REAL' } } }],
  })
  expect(parse('slot: 1', 'address: MB4, type: CHAR')).toMatchObject({
    tags: [{ type: 'string', address: { format: { type: 'CHAR', length: 1 } } }],
  })
})

test.each([
  ['rack: 0', '', 'connections[0].slot is missing: 2 for S7-300, 1 for S7-1200 and S7-1500'],
  ['remoteTsap: "10.01", slot: 1', '', 'connections[0].slot and remoteTsap are both there'],
  ['remoteTsap: 10.01.1', '', 'is "10.01.1"; write two hex bytes in quotes, as in "03.02"'],
  ['slot: 1, textEncoding: big5', '', 'possible are utf8, gbk, latin1'],
  ['slot: 1', 'address: DB10.W4', 'tags[0].address is "DB10.W4"; write it like DB10.DBD4'],
  ['slot: 1', 'address: DB10.DBW4, type: REAL', 'for REAL write the address as DB10,REAL4'],
  ['slot: 1', 'address: MW4, type: FLOAT', 'type is "FLOAT"; at this address possible are WORD, UINT, INT'],
  ['slot: 1', 'address: "DB10,REAL4", type: INT', 'type is INT, and the address says REAL; one is enough'],
  ['slot: 1', 'address: T5, readOnly: false', 'a timer is started by the program only'],
  ['slot: 1', 'address: I0.0, readOnly: false', 'the controller overwrites its inputs with each cycle'],
])('%s, %s', (connection, tag, message) => {
  expect(() => parse(connection, tag || undefined)).toThrow(message)
})
