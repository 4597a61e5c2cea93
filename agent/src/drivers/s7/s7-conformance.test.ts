import { startFaultLine } from '../../testing/plc/fault-line.ts'
import { startSnap7 } from '../../testing/plc/snap7.ts'
import { describeConformance } from '../testing/conformance.ts'
import kind from './driver-file.ts'

const textRoom = 20

/** The first item of an answer two bytes shorter than was asked for, with lengths that add up. */
function shorten(answer: Buffer): Buffer {
  const headAt = 4 + 3
  const itemAt = headAt + 12 + 2
  const isRead = answer[itemAt - 2] === 4 && answer[itemAt] === 0xff
  const bits = isRead ? answer.readUInt16BE(itemAt + 2) : 0
  if (bits < 32) return answer
  const end = itemAt + 4 + bits / 8
  const shorter = Buffer.concat([answer.subarray(0, end - 2), answer.subarray(end)])
  shorter.writeUInt16BE(shorter.length, 2)
  shorter.writeUInt16BE(shorter.readUInt16BE(headAt + 8) - 2, headAt + 8)
  shorter.writeUInt16BE(bits - 16, itemAt + 2)
  return shorter
}

describeConformance('S7 with snap7', kind, async () => {
  const server = await startSnap7({ blocks: { 1: 64 } })
  const line = await startFaultLine(server.port)
  return {
    line,
    connection: { host: '127.0.0.1', port: line.port, slot: 2 },
    tags: {
      whole: { address: 'DB1.DBW0', type: 'INT' },
      real: { address: 'DB1,REAL4' },
      flag: { address: 'M10.3' },
      text: { address: `DB1,STRING20.${textRoom}` },
      refused: { address: 'DB2.DBW0' },
    },
    refusal: /no such data block or area, .* \(S7 error 0x0A\)/,
    async set({ whole, real, flag, text }) {
      const bytes = Buffer.alloc(4)
      if (whole !== undefined) {
        bytes.writeInt16BE(whole)
        await server.set('DB', 1, 0, bytes.subarray(0, 2))
      }
      if (real !== undefined) {
        bytes.writeFloatBE(real)
        await server.set('DB', 1, 4, bytes)
      }
      if (flag !== undefined) await server.set('M', 0, 10, Buffer.of(flag ? 1 << 3 : 0))
      if (text !== undefined)
        await server.set('DB', 1, 20, Buffer.from([textRoom, text.length, ...Buffer.from(text, 'latin1')]))
    },
    async peek() {
      const block = await server.get('DB', 1, 0, 64)
      const [flags = 0] = await server.get('M', 0, 10, 1)
      return {
        whole: block.readInt16BE(0),
        real: block.readFloatBE(4),
        flag: (flags & (1 << 3)) !== 0,
        text: block.subarray(22, 22 + block.readUInt8(21)).toString('latin1'),
      }
    },
    // Read, of bit memory: M is area 0x83.
    asksForFlag: (request) => request[17] === 4 && request.includes(0x83, 19),
    shorten,
    async stop() {
      await line.close()
      await server.stop()
    },
  }
})
