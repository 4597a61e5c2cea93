import type { Page } from 'playwright-core'

/** The bytes that a page receives from now on, shown or not. */
export interface Heard {
  /** Of the bodies of answers and of streams that stay open; the platform's refusals are not counted. */
  bytes(): number
  /** Whether this value has arrived, in a message of a stream or in a frame of the push. */
  has(value: number): boolean
}

/** Listens to everything that reaches an open page. */
export async function listen(page: Page): Promise<Heard> {
  let bytes = 0
  const messages: string[] = []
  const frames: Buffer[] = []
  const session = await page.context().newCDPSession(page)
  const refused = new Set<string>()
  session.on('Network.responseReceived', ({ requestId, response }) => {
    if (response.status >= 400) refused.add(requestId)
  })
  session.on('Network.dataReceived', ({ requestId, dataLength }) => {
    if (!refused.has(requestId)) bytes += dataLength
  })
  session.on('Network.eventSourceMessageReceived', ({ data }) => messages.push(data))
  session.on('Network.webSocketFrameReceived', ({ response }) =>
    frames.push(Buffer.from(response.payloadData, 'base64')),
  )
  await session.send('Network.enable')
  return {
    bytes: () => bytes,
    has(value) {
      const number = Buffer.alloc(8)
      number.writeDoubleLE(value)
      return (
        messages.some((message) => message.includes(String(value))) ||
        frames.some((frame) => frame.includes(number))
      )
    },
  }
}
