import { connect } from 'node:net'
import { openDatabase } from '@busbar/platform/kernel/database/database.ts'
import { generate, parser } from 'mqtt-packet'
import { serve } from '../src/rpc.ts'
import { CopyWriter } from './copy-writer.ts'

const rowsPerBatchMax = 16_384

let stored = 0
let wanted = Number.POSITIVE_INFINITY
let reached: (() => void) | undefined

serve({
  /** A broker's subscriber as one would write it: everything at QoS 1, rows by COPY, acknowledged after the commit. */
  async subscribe({ port, databaseUrl }: { port: number; databaseUrl: string }) {
    const writer = new CopyWriter(openDatabase(databaseUrl, { poolMax: 1 }))
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    const waiting: { id: number; machine: string; payload: Buffer }[] = []
    let isWriting = false

    async function write(): Promise<void> {
      isWriting = true
      while (waiting.length > 0) {
        const batch = waiting.splice(0, rowsPerBatchMax / 3)
        for (const { machine, payload } of batch) writer.add(machine, payload)
        await writer.commit()
        const acks = Buffer.allocUnsafe(batch.length * 4)
        batch.forEach(({ id }, index) => {
          acks.writeUInt16BE(0x4002, index * 4)
          acks.writeUInt16BE(id, index * 4 + 2)
        })
        socket.write(acks)
        stored += batch.length
        if (stored >= wanted) reached?.()
      }
      isWriting = false
    }

    await new Promise<void>((resolve, reject) => {
      const reader = parser({ protocolVersion: 4 })
      reader.on('error', reject)
      reader.on('packet', (packet) => {
        if (packet.cmd === 'connack') {
          const subscriptions = [{ topic: 'machines/+/telemetry', qos: 1 as const }]
          socket.write(generate({ cmd: 'subscribe', messageId: 1, subscriptions }))
        } else if (packet.cmd === 'suback') {
          resolve()
        } else if (packet.cmd === 'publish') {
          const machine = packet.topic.split('/')[1] ?? ''
          waiting.push({ id: packet.messageId ?? 0, machine, payload: packet.payload as Buffer })
          if (!isWriting) void write()
        }
      })
      socket.on('data', (bytes: Buffer) => reader.parse(bytes))
      socket.on('error', reject)
      socket.write(
        generate({
          cmd: 'connect',
          protocolId: 'MQTT',
          protocolVersion: 4,
          clean: true,
          clientId: 'subscriber',
          keepalive: 600,
        }),
      )
    })
  },

  /** Resolves when this many further messages are in the table. */
  expect({ messages }: { messages: number }) {
    wanted = stored + messages
  },

  async reached() {
    if (stored >= wanted) return
    await new Promise<void>((resolve) => {
      reached = resolve
    })
  },
})
