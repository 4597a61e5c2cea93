import type { Text } from '../text.ts'

export const handover: Text['handover'] = {
  devices: 'The enterprise’s devices',
  toNobody: 'Belong to nobody',
  toSomebody: 'Hand over to…',
  nobodyHint: 'Once the enterprise is erased, others can bind them by the device’s password.',
  nobodyEnds: (to) =>
    `The request to ${to} ends. Once the enterprise is erased, others can bind the devices by the device’s password.`,
  unread: 'This could not be read. Close it and try again, please.',
  ask: 'Ask them',
  askPersonHint:
    'If they accept, all devices are theirs once the enterprise is erased. The request is valid for 14 days; you can take it back at any time.',
  askSpaceHint:
    'Its people who manage devices answer. If they accept, all devices are that enterprise’s once this one is erased. The request is valid for 14 days; you can take it back at any time.',
  waiting: (to, n, until) =>
    `Waits for ${to} to accept ${devices(n)}, until ${until}. You can delete the enterprise with the hand-over once they have accepted.`,
  ready: (to, n, until) =>
    `${to} accepted: once the enterprise is erased, ${devices(n)} go to them. Delete the enterprise before ${until}.`,
  withdraw: 'Take back the request',
  withdrawn: 'The request was taken back',
  failed: 'It was not sent. What you entered is kept: please try again.',
  incoming: (from, enterprise, n) => `${from} asks you to take ${devices(n)} of “${enterprise}”`,
  incomingHint: (until) =>
    `Once that enterprise is erased they belong to the receiver. Valid until ${until}.`,
  accepted: (enterprise) => `You will get the devices of “${enterprise}”`,
  refused: 'You refused the devices',
}

function devices(n: number): string {
  return n === 1 ? '1 device' : `${n} devices`
}
