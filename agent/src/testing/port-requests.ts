/** Requests as tools send them: mbpoll, pymodbus and modbus-serial for Modbus; snap7 and engineering tools for S7. */
export interface RecordedRequest {
  readonly what: string
  readonly bytes: Buffer
  readonly isReading: boolean
}

const modbus = (what: string, isReading: boolean, pdu: string): RecordedRequest => {
  const body = Buffer.from(pdu.replaceAll(' ', ''), 'hex')
  const head = Buffer.from('000100000000ff', 'hex')
  head.writeUInt16BE(body.length + 1, 4)
  return { what, isReading, bytes: Buffer.concat([head, body]) }
}

export const modbusRequests: readonly RecordedRequest[] = [
  modbus('coils', true, '01 0013 0025'),
  modbus('discrete inputs', true, '02 00c4 0016'),
  modbus('holding registers', true, '03 006b 0003'),
  modbus('input registers', true, '04 0008 0001'),
  modbus('exception status', true, '07'),
  modbus('return query data', true, '08 0000 a537'),
  modbus('server id', true, '11'),
  modbus('file records', true, '14 0e 06 0004 0001 0002 06 0003 0009 0002'),
  modbus('FIFO', true, '18 04de'),
  modbus('device identification', true, '2b 0e 01 00'),
  modbus('a coil', false, '05 00ac ff00'),
  modbus('a register', false, '06 0001 0003'),
  modbus('restart of communication', false, '08 0001 0000'),
  modbus('listen only', false, '08 0004 0000'),
  modbus('coils written', false, '0f 0013 000a 02 cd01'),
  modbus('registers written', false, '10 0001 0002 04 000a 0102'),
  modbus('a file record written', false, '15 0d 06 0004 0007 0003 06af 04be 100d'),
  modbus('a mask', false, '16 0004 00f2 0025'),
  modbus('read and written at once', false, '17 0003 0006 000e 0003 06 00ff 00ff 00ff'),
  modbus('CANopen', false, '2b 0d 00 00'),
  modbus('a vendor’s function', false, '5a 0010 0001'),
  modbus('reading with more bytes', false, '03 006b 0003 00'),
  modbus('reading with fewer bytes', false, '03 006b 00'),
  modbus('a long diagnosis', false, '08 0000 0001 0000 0006 ff06 0001 0003'),
  modbus('a file of a wrong length', false, '14 08 06 0004 0001 0002'),
  modbus('an exception', false, '83 02'),
]

const packet = (piece: string): Buffer => {
  const bytes = Buffer.from(piece.replaceAll(' ', ''), 'hex')
  const head = Buffer.of(3, 0, 0, 0)
  head.writeUInt16BE(4 + bytes.length, 2)
  return Buffer.concat([head, bytes])
}

/** With the transport's head; `params` and `data` in hex. */
const s7 = (
  what: string,
  isReading: boolean,
  { kind = '01', params, data = '' }: { kind?: string; params: string; data?: string },
): RecordedRequest => {
  const bytes = [params, data].map((hex) => hex.replaceAll(' ', ''))
  const lengths = bytes.map((hex) => (hex.length / 2).toString(16).padStart(4, '0'))
  return { what, isReading, bytes: packet(`02f080 32${kind}00000500${lengths.join('')}${bytes.join('')}`) }
}
const item = (area: string) => `12 0a 10 02 0010 0001 ${area} 000008`
const user = '07'

/** The connection's own request, which comes first. */
export const s7Connect: Buffer = packet('11 e0 0000 0001 00 c0010a c1020100 c2020102')

export const s7Requests: readonly RecordedRequest[] = [
  s7('variables', true, { params: `04 01 ${item('84')}` }),
  s7('three variables', true, { params: `04 03 ${item('84')} ${item('83')} ${item('1c')}` }),
  s7('a list of the system', true, {
    ...{ kind: user, params: '000112 04 11 44 01 00', data: 'ff09 0004 0011 0000' },
  }),
  s7('the next part of it', true, {
    ...{ kind: user, params: '000112 08 12 44 01 02 00 00 0000', data: '0a000000' },
  }),
  s7('all blocks', true, { kind: user, params: '000112 04 11 43 01 00', data: '0a000000' }),
  s7('blocks of a type', true, { kind: user, params: '000112 04 11 43 02 00', data: 'ff09 0002 3041' }),
  s7('the next part of them', true, {
    ...{ kind: user, params: '000112 08 12 43 02 01 00 00 0000', data: '0a000000' },
  }),
  s7('the clock', true, { kind: user, params: '000112 04 11 47 01 00', data: '0a000000' }),
  s7('variables written', false, { params: `05 01 ${item('84')}`, data: '0004 0020 00010203' }),
  s7('a request to download', false, { params: '1a 00 0000 00000000 09 5f30383030303031 41' }),
  s7('a downloaded block', false, { params: '1b 00 0000 00000000 09 5f30383030303031 41' }),
  s7('the end of a download', false, { params: '1c 00 0000 00000000 09 5f30383030303031 41' }),
  s7('the start of an upload', false, { params: '1d 00 0000 00000000 09 5f30383030303031 41' }),
  s7('an upload', false, { params: '1e 00 0000 00000000' }),
  s7('the end of an upload', false, { params: '1f 00 0000 00000000' }),
  s7('a start', false, { params: '28 000000000000fd 0000 09 505f50524f4752414d' }),
  s7('memory copied', false, { params: '28 000000000000fd 0002 4550 05 5f4d4f4455' }),
  s7('a stop', false, { params: '29 0000000000 09 505f50524f4752414d' }),
  s7('a clock set', false, {
    ...{ kind: user, params: '000112 04 11 47 02 00', data: 'ff09 000a 00192611291522000001' },
  }),
  s7('a password', false, {
    ...{ kind: user, params: '000112 04 11 45 01 00', data: 'ff09 0008 0102030405060708' },
  }),
  s7('a programmer’s command', false, {
    ...{ kind: user, params: '000112 04 11 41 01 00', data: 'ff09 0004 00140000' },
  }),
  s7('cyclic data', false, { kind: user, params: '000112 04 11 42 01 00', data: 'ff09 0004 00010101' }),
  s7('messages', false, { kind: user, params: '000112 04 11 44 02 00', data: 'ff09 0004 01000000' }),
  s7('a list with more bytes', false, {
    ...{ kind: user, params: '000112 04 11 44 01 00', data: 'ff09 0005 0011 0000 00' },
  }),
  s7('variables with data', false, { params: `04 01 ${item('84')}`, data: '00' }),
  s7('variables by another way', false, { params: '04 01 12 08 b2 ff 00 0001 000000' }),
  s7('fewer variables than said', false, { params: `04 02 ${item('84')}` }),
]

export const s7SetUp: RecordedRequest = s7('lengths', true, { params: 'f0 00 0001 0001 01e0' })
