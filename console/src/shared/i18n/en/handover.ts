import type { Text } from '../text.ts'

export const handover: Text['handover'] = {
  incoming: (from, enterprise, n) => `${from} asks you to take over ${devices(n)} of “${enterprise}”`,
  incomingHint: (until) =>
    `The receiver owns the devices after that enterprise is erased. Valid until ${until}.`,
  accepted: (enterprise) => `You’ll get the devices of “${enterprise}”`,
  refused: 'You declined the devices',
}

function devices(n: number): string {
  return n === 1 ? '1 device' : `${n} devices`
}
