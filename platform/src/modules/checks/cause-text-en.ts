import type { CauseTexts } from './cause-texts.ts'

export const causeTextEn: CauseTexts = {
  nothing: () => 'Everything that could be tested works.',
  platformFault: () =>
    'The platform can’t reach the part of itself that holds this device. The platform’s operator has to look at it; try again in a minute.',
  blacklisted: () => 'You are on this device’s blacklist. Ask a key holder of the device to take you off it.',
  ownerLocked: () =>
    'The enterprise that owns this device is locked. Its owner has to speak with the platform’s operator.',
  cloudServiceOff: () =>
    'The cloud service of this device is switched off, so nobody can enter it. A key holder can switch it on in the device’s settings.',
  windowNotOpen: () => 'Your maintenance window hasn’t begun yet. You can enter when it opens.',
  visitOver: () => 'Your visit time for this device is over. Ask a key holder for a new one.',
  noRight: () => 'You have no access to this device now. Request it, or ask a key holder.',
  twoUsers: () =>
    'Two computers sign in with this device’s secret in turn and throw each other out. A key holder has to stop one of them, or renew the secret.',
  secretRefused: () =>
    'Somebody signs in as this device with a wrong secret. A key holder has to renew the secret and enter it on the device’s computer.',
  secretRenewed: () =>
    'The device’s secret was renewed, and the device hasn’t come back since. A key holder has to enter the new one on its computer.',
  neverConnected: () =>
    'This device has never connected. Somebody on site has to install the agent, or set the controller to the platform’s address, and start it.',
  mqttBlocked: () =>
    'The device’s tunnel is open, but no values arrive: its connection for values is probably blocked. The customer’s IT department has to allow it.',
  agentHangs: () =>
    'The device’s agent keeps its tunnel, but neither answers nor sends values. Somebody on site has to restart it.',
  messagesRefused: () =>
    'The platform ended the device’s connection because of its messages, and the device hasn’t come back. A key holder has to check how it is set to send.',
  agentStopped: () =>
    'The device signed off: its program was stopped, or its computer shut down. Somebody on site has to start it again.',
  simStopped: () =>
    'The device’s SIM card is reported as out of service. The holder of its contract has to speak with the carrier.',
  siteAway: () =>
    'Other devices at the same site went offline at the same time: the site’s internet connection is probably down. The customer’s IT department has to look at it.',
  weakSignal: () =>
    'The device had a very weak mobile signal before it went offline. Somebody on site has to place its antenna better.',
  away: () =>
    'The device went offline without signing off: its power or its network is probably down. Somebody on site has to check both.',
  diskFull: () =>
    'The disk of the device’s computer is full, so that values get lost when the line breaks. Somebody on site has to free space.',
  certificateReplaced: () =>
    'A firewall on the way replaces the platform’s certificate. The customer’s IT department has to exempt the platform’s addresses from inspection.',
  proxyFails: () =>
    'The proxy in the device’s network doesn’t let its connections through. The customer’s IT department has to allow the platform’s addresses.',
  dnsFails: () =>
    'The device’s network can’t resolve the platform’s name. The customer’s IT department has to look at its DNS server.',
  clockWrong: () =>
    'The clock of the device’s computer is wrong. Somebody on site has to set it, or allow it a time server.',
  tunnelBlocked: () =>
    'The device sends values, but its tunnel is missing: a firewall or proxy probably blocks WebSockets. The customer’s IT department has to allow them.',
  agentSilent: () =>
    'The device’s agent doesn’t answer, although its tunnel is open. Somebody on site has to restart it if this lasts.',
  noConnections: () => 'No controller is set up on this device. A key holder can add one under its drivers.',
  plantNetwork: () =>
    'None of the controllers answers: the cable or the switch between the device’s computer and the controllers is probably at fault. Somebody on site has to check it.',
  wrongUser: ({ connection }) =>
    `The controller of “${connection}” refuses the user or password. A key holder has to correct them under the device’s drivers.`,
  plcCertificate: ({ connection }) =>
    `The controller of “${connection}” and the agent don’t accept each other’s certificate. A key holder has to trust it on both sides.`,
  notThisProtocol: ({ connection }) =>
    `Something answers at the address of “${connection}”, but not in this protocol. A key holder has to correct the address, the port or the kind of driver.`,
  plcRefused: ({ connection }) =>
    `The address of “${connection}” is reached, but refuses the port. Somebody on site has to enable the protocol on the controller, or correct the port.`,
  wrongUnit: ({ connection }) =>
    `No device answers under the unit id of “${connection}”. A key holder has to correct the unit id; if it is right, the device behind the gateway is off.`,
  wrongSlot: ({ connection }) =>
    `The controller of “${connection}” refuses this rack and slot. A key holder has to correct them under the device’s drivers.`,
  plcUnreachable: ({ connection }) =>
    `No way leads to the address of “${connection}”. Somebody on site has to check the address and the network of the device’s computer.`,
  plcSilent: ({ connection }) =>
    `The controller of “${connection}” doesn’t answer: it is probably switched off, or its address is wrong. Somebody on site has to check it.`,
  tagRefused: ({ connection }) =>
    `The controller of “${connection}” refuses some of its variables. A key holder has to correct their addresses under the device’s drivers.`,
  backlog: () =>
    'Values wait on the device’s computer because its line is too slow for them. The customer’s IT department has to look at it.',
  valuesLost: () =>
    'The device’s computer has lost values because its store was full. Somebody on site has to look at its line and its disk.',
  overloaded: () =>
    'The device’s computer is overloaded. Somebody on site has to find out which program uses it.',
  memoryLow: () =>
    'The device’s computer has hardly any free memory. Somebody on site has to end other programs on it.',
  slowLine: () =>
    'The device’s line is very slow now. If this lasts, the customer’s IT department has to look at it.',
  pushBlocked: () =>
    'The device works, but live values don’t reach your browser: something in your network blocks WebSockets. Your IT department has to allow them.',
  platformSlow: () => 'The device works, but the platform is slow now. Its operator has to look at it.',
  browserClock: () => 'The device works, but the clock of your computer is wrong. Set it.',
  readOnly: () =>
    'Everything works, but your access is read-only. Ask a key holder if you have to change something.',
}
