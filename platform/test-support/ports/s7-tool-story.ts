/*
 * Runs in a network of its own, as its root (foreign-tools.test.ts): busbar-connect adds an address, and a client of snap7 uses
 * port 102 there. Arguments: the platform's address, a socket of the file system that leads to it, the session's token, the
 * machine's code. Says what it saw as one line of JSON.
 */
import { startSnap7 } from '../../../agent/src/testing/plc/snap7.ts'
import { ConnectProgram } from './connect-program.ts'
import { openRelay } from './relay.ts'

const [server = '', path = '', token = '', code = ''] = process.argv.slice(2)
const address = '10.99.0.2'

// The platform's port is here as it is outside.
await openRelay({ host: '127.0.0.1', port: Number(new URL(server).port) }, { path })
const program = await ConnectProgram.open({ server, token, code, ports: ['s7'], mode: 'rw', address })
// For its client alone.
const snap7 = await startSnap7({ blocks: {} })
const tool = await snap7.connectTool(102, address)
const seen = {
  address: program.of('listening')[0]?.address,
  read: (await tool.get('DB', 1, 0, 8)).toString('hex'),
  written: await tool.set(1, 0, Buffer.from('ffff', 'hex')),
}
await snap7.stop()
await program.stop()
console.log(JSON.stringify(seen))
process.exit()
