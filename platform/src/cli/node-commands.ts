import { resolve } from 'node:path'
import { withTransaction } from '../kernel/database/database.ts'
import {
  certificateDays,
  type NamedNode,
  NodeAuthority,
  nodeExtensions,
} from '../kernel/nodes/node-authority.ts'
import { isNodeId } from '../kernel/nodes/node-identity.ts'
import { revokeNode } from '../kernel/nodes/nodes-store.ts'
import { auditServerAct } from '../modules/audit/index.ts'
import { type Command, CommandError, type FileCommand } from './command.ts'

const hostForm = /^(?!-)[\w.:-]{1,253}$/

/** `busbar node certificates` */
export const nodeCertificatesCommand: FileCommand = {
  needsDatabase: false,
  name: ['node', 'certificates'],
  summary: 'make certificates for nodes and the NATS server, and the authority that signs them',
  usage: [
    '  FOLDER          for nodes-ca.pem and nodes-ca.key, made once, and NAME.pem and NAME.key of each node',
    `  NAME=HOST[,…]   a node, and the names or addresses at which others reach it; the certificate is new each time,`,
    `                  valid for ${certificateDays} days, and its node has the id NAME`,
  ].join('\n'),
  prepare(args) {
    const [folder, ...given] = args
    if (!folder || folder.includes('=') || given.length === 0)
      throw new CommandError('Give a folder, and NAME=HOST for each certificate.')
    const nodes = given.map(readNode)
    return async () => {
      const dir = resolve(process.env.INIT_CWD ?? '.', folder)
      const authority = await NodeAuthority.open(dir)
      for (const node of nodes) {
        await authority.sign(node.id, nodeExtensions(node))
        console.log(`${resolve(dir, node.id)}.pem, .key: ${node.hosts.join(', ')}, ${certificateDays} days`)
      }
    }
  },
}

/** `busbar node revoke` */
export const nodeRevokeCommand: Command = {
  name: ['node', 'revoke'],
  summary: 'let the certificates that a node has count no more; other nodes end its lines within a second',
  usage: '  ID  the node; it ends, and works again with a certificate made after this',
  prepare(args) {
    const [id, ...more] = args
    if (!id || !isNodeId(id) || more.length > 0) throw new CommandError('Give the id of one node.')
    return async (db) => {
      await withTransaction(db, async (trx) => {
        await revokeNode(trx, id)
        await auditServerAct(trx, 'node.revoke', id, new Date())
      })
      console.log(`The certificates of ${id} count no more. Change its user at NATS as well.`)
    }
  },
}

function readNode(text: string): NamedNode {
  const [id = '', list = ''] = text.split('=')
  const hosts = list.split(',').filter(Boolean)
  if (!isNodeId(id)) throw new CommandError(`${id}: a name has letters, digits, "_", "." and "-", at most 64`)
  if (hosts.length === 0 || !hosts.every((host) => hostForm.test(host)))
    throw new CommandError(`${text}: give NAME=HOST, with the names or addresses that others use for it`)
  return { id, hosts }
}
