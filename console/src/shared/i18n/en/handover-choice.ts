import type { handoverChoice as cn } from '../cn/handover-choice.ts'

export const handoverChoice: typeof cn = {
  devices: 'The enterprise’s devices',
  toNobody: 'Release without an owner',
  toSomebody: 'Hand over to…',
  nobodyHint: 'After the enterprise is erased, anyone with the device password can add the devices.',
  nobodyEnds: (to) =>
    `The request to ${to} is cancelled. After the enterprise is erased, anyone with the device password can add the devices.`,
  unread: 'The hand-over couldn’t be loaded. Close the dialog and try again.',
  ask: 'Send request',
  askPersonHint:
    'If the person accepts, they get all devices when the enterprise is erased. The request is valid for 14 days; you can withdraw it at any time.',
  askSpaceHint:
    'Members with “Manage devices” in that enterprise can accept. It then gets all devices when this enterprise is erased. The request is valid for 14 days; you can withdraw it at any time.',
  waiting: (to, n, until) =>
    `${to} has until ${until} to accept ${devices(n)}. After acceptance, you can delete the enterprise and hand over the devices.`,
  ready: (to, n, until) =>
    `${to} accepted and gets ${devices(n)} when the enterprise is erased. Delete the enterprise before ${until}.`,
  withdraw: 'Withdraw request',
  withdrawn: 'Request withdrawn',
  failed: 'The request wasn’t sent. Your entries are kept; try again.',
}

function devices(n: number): string {
  return n === 1 ? '1 device' : `${n} devices`
}
