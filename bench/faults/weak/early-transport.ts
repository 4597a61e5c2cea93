import * as real from '@busbar/platform/modules/destinations/transports.ts'

export * from '@busbar/platform/modules/destinations/transports.ts'

/** Sends as the platform does, but takes the answer for granted. */
export const createOpenTransport: typeof real.createOpenTransport = (...given) => {
  const open = real.createOpenTransport(...given)
  return (type, sentFor) => {
    const transport = open(type, sentFor)
    return {
      async send(...sent) {
        transport.send(...sent).catch(() => {})
        return {
          ...{ end: { status: 204, fault: null }, ms: 0, bytes: 0, connection: undefined, error: undefined },
          ...{ answerMs: undefined, detail: '', showRequest: () => '', showAnswer: () => '' },
        }
      },
      close: () => transport.close(),
    }
  }
}
