import { openSocket } from '../open-socket.ts'

export interface IsoOptions {
  host: string
  port: number
  /** For the connection and for its agreement. */
  timeoutMs: number
  /** The transport selectors of both ends, two bytes each. */
  localTsap: number
  remoteTsap: number
}

/** An open connection of ISO transport class 0 over TCP (RFC 1006): whole messages in both directions. */
export interface IsoLine {
  isOpen(): boolean
  send(message: Buffer): void
  close(): void
}

export interface IsoListener {
  /** An exception ends the connection. It may be called before `openIsoLine` has resolved. */
  onMessage(message: Buffer): void
  /** Once, also after `close`. */
  onClose(reason: Error): void
}

const notIso = 'the answer is none of ISO-on-TCP'
const tpktVersion = 3
const tpktBytes = 4
const messageBytesMax = 65_536
const types = {
  connectionRequest: 0xe0,
  connectionConfirm: 0xd0,
  disconnectRequest: 0x80,
  data: 0xf0,
} as const
const endOfMessage = 0x80
/** 1024 bytes in a piece of transport: two to the power of ten. */
const tpduSize = 0x0a

/**
 * Connects, and agrees on the transport. Rejects if that fails within `timeoutMs`, with an explanation for a
 * person.
 */
export async function openIsoLine(options: IsoOptions, listener: IsoListener): Promise<IsoLine> {
  const socket = await openSocket(options)
  let open = true
  let reason = new Error('the controller closed the connection')
  let received: Buffer = Buffer.alloc(0)
  let pieces: Buffer[] = []
  let piecesBytes = 0
  let confirm: (() => void) | null = null
  const ended = new Promise<never>((_, reject) => {
    socket.once('close', () => {
      open = false
      reject(reason)
      listener.onClose(reason)
    })
  })
  ended.catch(() => undefined)

  function fail(message: string): void {
    reason = new Error(message)
    socket.destroy()
  }

  function takeBytes(bytes: Buffer): void {
    received = received.length === 0 ? bytes : Buffer.concat([received, bytes])
    while (open && received.length >= tpktBytes) {
      const length = received.readUInt16BE(2)
      if (received[0] !== tpktVersion || length < tpktBytes + 3) {
        fail(notIso)
        break
      }
      if (received.length < length) break
      const packet = received.subarray(tpktBytes, length)
      received = received.subarray(length)
      takePacket(packet)
    }
  }
  socket.on('data', takeBytes)

  function takePacket(packet: Buffer): void {
    const headBytes = 1 + packet.readUInt8(0)
    if (headBytes > packet.length) {
      fail(notIso)
      return
    }
    const type = packet.readUInt8(1) & 0xf0
    if (type === types.disconnectRequest) {
      fail('the controller refuses the connection: look at rack, slot or TSAPs')
    } else if (type === types.connectionConfirm) {
      confirm?.()
      confirm = null
    } else if (type === types.data && confirm === null) {
      takePiece(packet.subarray(headBytes), (packet.readUInt8(2) & endOfMessage) !== 0)
    }
  }

  function takePiece(piece: Buffer, isLast: boolean): void {
    pieces.push(piece)
    piecesBytes += piece.length
    if (piecesBytes > messageBytesMax) {
      fail('the answer does not end')
    } else if (isLast) {
      const message = pieces.length === 1 ? piece : Buffer.concat(pieces)
      pieces = []
      piecesBytes = 0
      try {
        listener.onMessage(message)
      } catch (error) {
        fail(error instanceof Error ? error.message : String(error))
      }
    }
  }

  const line: IsoLine = {
    isOpen: () => open,
    send: (message) => void socket.write(encodePacket(Buffer.of(2, types.data, endOfMessage), message)),
    close() {
      open = false
      socket.destroy()
    },
  }
  const timer = setTimeout(() => fail('no answer to the connection'), options.timeoutMs)
  try {
    const confirmed = new Promise<void>((resolve) => {
      confirm = resolve
    })
    socket.write(encodePacket(connectionRequest(options)))
    await Promise.race([confirmed, ended])
  } finally {
    clearTimeout(timer)
  }
  return line
}

function connectionRequest({ localTsap, remoteTsap }: IsoOptions): Buffer {
  const request = Buffer.alloc(18)
  // Both references and class 0; then the size of a piece, and the selectors of the calling and the called end.
  request.set([request.length - 1, types.connectionRequest, 0, 0, 0, 1, 0, 0xc0, 1, tpduSize])
  request.set([0xc1, 2], 10)
  request.writeUInt16BE(localTsap, 12)
  request.set([0xc2, 2], 14)
  request.writeUInt16BE(remoteTsap, 16)
  return request
}

function encodePacket(...parts: Buffer[]): Buffer {
  const head = Buffer.alloc(tpktBytes)
  head.writeUInt8(tpktVersion, 0)
  head.writeUInt16BE(
    parts.reduce((sum, { length }) => sum + length, tpktBytes),
    2,
  )
  return Buffer.concat([head, ...parts])
}
