import type { texts as cn } from '../cn/connect.ts'

export const texts: typeof cn = {
  help: `Usage: busbar-connect COMMAND [OPTIONS]

  login [--server URL]                 signs in by a code that you confirm in a browser
  list [DEVICE]                        lists devices, or the ports of one device
  open DEVICE PORT[:LOCALPORT] …       opens ports of a device on this computer
  status                               shows who is signed in, and the ports open on this computer
  logout                               signs out

  DEVICE is a device’s code or name, PORT a name from the list.

Options
  --mode ro|rw      view only, or read and write; by default as your access permits
  --address ADDR    local address to listen on: 127.x.x.x or ::1, by default 127.0.0.1;
                    or a private address (10.99.0.2), which is added to this computer
                    until the program ends, with the device’s own ports
  --json            one JSON object per line
  --lang cn|en      language
  --version         shows the version
`,
  argumentFaults: {
    unknownOption: (about) => `Unknown option: ${about}`,
    unknownCommand: (about) => `Unknown command: ${about}`,
    missingValue: (about) => `The option ${about} needs a value`,
    wrongLang: (about) => `The language is cn or en, not ${about}`,
    wrongMode: (about) => `The mode is ro (view only) or rw (read and write), not ${about}`,
    openNeeds: () => 'Name the device and at least one port: open DEVICE PORT[:LOCALPORT]',
    tooMany: (about) => `Unexpected argument: ${about}`,
    wrongAddress: (about) =>
      `The local address is 127.x.x.x, ::1, or a private IPv4 address (10.x.x.x, 172.16.x.x to 172.31.x.x, 192.168.x.x), not ${about}`,
  },
  endReasons: {
    left: 'You ended the visit',
    ended: 'A key holder ended the visit',
    idle: 'No data passed for 30 minutes; the visit has ended',
    timeUp: 'The visit reached its limit of 8 hours',
    visitTimeOver: 'Your visit time has expired',
    rightLost: 'Your access was revoked',
    cloudOff: 'The device’s cloud service was turned off',
    signedOut: 'The program was signed out',
    replaced: 'Control passed to someone else, or your newer visit replaced this one',
    platform: 'The platform ended the visit',
    notAllowed: 'You have no access to this port, or are no longer in control',
    lookOnly: 'This port doesn’t support view-only visits',
    noPort: 'The device has no such port',
    other: 'The visit has ended',
  },
  closeReasons: {
    done: 'closed normally',
    toolBroke: 'the tool disconnected',
    gone: 'the platform or the device closed the connection',
    lineLost: 'the line didn’t return within 30 seconds',
    unreachable: 'the device can’t reach this port',
    tooMany: 'too many connections: a visit has at most 8, and controllers accept few',
    ticket: 'the platform didn’t accept the ticket',
    wrongMessage: 'the platform refused the connection’s parameters',
    refused: 'refused',
    stopped: 'the program stopped',
    encrypted: 'the connection is encrypted, so a view-only visit can’t tell reading from writing',
    unclear: 'requests can’t be told apart any more in this view-only visit',
  },
  modes: { ro: 'View only', rw: 'Read and write' },
  seeHelp: 'Run busbar-connect --help to see the usage',
  needServer: 'Name the platform: busbar-connect login --server https://…',
  wrongServer: (server) => `This isn’t a platform’s address: ${server}`,
  plainHttp: 'Note: the address uses http; the session is sent unencrypted',
  notSignedIn: 'Not signed in. Run busbar-connect login --server https://…',
  sessionShared: (path) =>
    `Other users can read ${path}, so the program doesn’t use it. Run chmod 600 on it, or delete it and sign in again`,
  sessionDamaged: (path) => `${path} is damaged. Delete it and sign in again`,
  signInAt: (url) => `Open ${url} in a browser`,
  signInCode: (code) => `Enter the code ${code}`,
  signInExpired: 'The code has expired. Sign in again',
  signInRefused: 'The sign-in was declined',
  signedIn: (name, server) => `Signed in to ${server} as ${name}`,
  signedOut: 'Signed out',
  sessionOver: 'The session has ended. Sign in again',
  unreachable: (server, reason) => `${server} can’t be reached: ${reason}`,
  wrongAnswer: (server) =>
    `The answer of ${server} can’t be read. Check the address and the program’s version`,
  noMachine: (name) => `No such device: ${name}`,
  manyMachines: (name) => `Several devices match “${name}”. Use the code:`,
  noMachines: 'No devices',
  noPorts: 'The agent of this device offers no ports',
  noPort: (name, all) => `The device has no port ${name}. Its ports: ${all}`,
  wrongLocalPort: (port) => `The local port is a number from 1 to 65535, not ${port}`,
  mayNot: (name) => `You have no access to the port ${name}`,
  mayLookOnly: (name) => `You can open the port ${name} view-only: --mode ro`,
  mayNotLook: (name) => `The port ${name} doesn’t support view-only visits`,
  inControl: (who) => `${who} is in control of this device. Request control, or use --mode ro`,
  needLocalPort: (name) => `The port number of ${name} on the device isn’t known. Name it: ${name}:LOCALPORT`,
  addressInUse: (address, name) =>
    `This computer has the address ${address} already (${name}). Choose another one`,
  addressInNetwork: (address, network, name) =>
    `${address} is part of the network ${network}, which this computer is in (${name}). Choose an address outside of it`,
  addressRights: (address) =>
    `${address} is added to this computer’s loopback interface until the program ends; the system may ask for an administrator’s permission`,
  addressAdded: (address) => `${address} was added to this computer’s loopback interface`,
  addressDenied: (address, reason) => `${address} couldn’t be added${reason ? `: ${reason}` : ''}`,
  addressRemoving: (address) => `Removing ${address}, which an earlier run has left`,
  addressLeft: (address, reason) => `${address} couldn’t be removed${reason ? `: ${reason}` : ''}`,
  addressSystem: 'The program can’t add addresses on this system',
  portTaken: (port) => `The local port ${port} is taken`,
  portTakenBy: (port, name, pid) => `The local port ${port} is taken by ${name} (process ${pid})`,
  portDenied: (port) => `No permission to use the local port ${port} (ports below 1024 usually need it)`,
  portUnusable: (port) => `The local port ${port} can’t be used`,
  propose: (port) => `${port} is free`,
  headMachines: ['Name', 'Code', 'State'],
  headPorts: ['Port', 'Kind', 'Access', 'Round trip', 'Note'],
  online: 'online',
  offline: 'offline',
  access: {
    change: 'read and write',
    changeAndLook: 'read and write, view only',
    look: 'view only',
    none: 'none',
  },
  visitOpened: (machine, mode, until) => `${machine}: ${mode}, until ${until} at the latest`,
  listening: (target, address) => `${target} → ${address}`,
  opened: (target, stream) => `${target}: connection ${stream} opened`,
  lineLost: (target, stream) => `${target}: connection ${stream} lost its line and is resuming`,
  lineBack: (target, stream, seconds) => `${target}: connection ${stream} resumed after ${seconds} s`,
  closed: (target, stream, reason) => `${target}: connection ${stream} ended (${reason})`,
  ended: (target, reason) => `${target} ended: ${reason}`,
  warnIdle: (at) => `No data passes: the visit ends at ${at}`,
  warnTimeUp: (at) => `The visit reaches its time limit at ${at}`,
  controlMine: 'You are in control',
  controlOf: (who) => `${who} is in control`,
  controlFree: 'No one is in control',
  allEnded: 'All ports have ended',
  viewTitle: 'Busbar Connect',
  viewHead: [
    'Port',
    'Local address',
    'Open',
    'Received',
    'Sent',
    'Read/written/refused',
    'Round trip',
    'State',
  ],
  viewTimeLeft: (minutes) => `${minutes} min left`,
  viewOpen: 'open',
  viewKeys: 'q end   r release control   t take control   h hand it over',
  handTo: 'Hand control over to',
  handKeys: '1–9 choose   any other key: cancel',
  takerAsks: 'asks for control',
  noTakers: 'No one asks for control, and no other visit can be handed it',
  viewHints: 'Settings of the tool',
  statusServer: (server) => `Platform: ${server}`,
  statusPerson: (name, account) => `Signed in: ${name} (${account})`,
  statusFile: (path) => `Session file: ${path}`,
  headOpens: ['Device', 'Port', 'Local address', 'Access', 'Since', 'Process'],
  noOpens: 'No ports are open on this computer',
  failed: (reason) => `The program failed: ${reason}`,
}
