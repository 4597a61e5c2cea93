import type { BrowseResult, DataValue, ReferenceDescription } from 'node-opcua-client'
import {
  AccessLevelFlag,
  AttributeIds,
  BrowseDirection,
  makeNodeId,
  NodeClass,
  ObjectIds,
  ReferenceTypeIds,
} from 'node-opcua-client'
import type { DriverDeps } from '../driver-kind.ts'
import type { BrowsedNode, BrowsedPage, Explorer, NodeKind } from '../explorer.ts'
import { browsedNodesMax } from '../explorer.ts'
import { addressOfNode, formatNodeAddress, parseNodeAddress, resolveNode } from './node-address.ts'
import type { OpcUaOptions } from './opcua-connection.ts'
import type { Line, OpcUaSession } from './opcua-line.ts'
import { openLine } from './opcua-line.ts'
import { failureReason, statusReason } from './reasons.ts'
import { decodeValue, qualityOf, tagTypeFor } from './values.ts'

const hierarchy = makeNodeId(ReferenceTypeIds.HierarchicalReferences)
const browsedClasses = NodeClass.Object | NodeClass.Variable | NodeClass.Method | NodeClass.View
/** Reference type, node class, names: everything but the type definition. */
const wantedFields = 0b011111

const kinds: Partial<Record<NodeClass, NodeKind>> = {
  [NodeClass.Object]: 'object',
  [NodeClass.Variable]: 'variable',
  [NodeClass.Method]: 'method',
  [NodeClass.View]: 'view',
}

/** Explores a server's address space, in a separate session that lives as long as the explorer. */
export function createOpcUaExplorer(options: OpcUaOptions & { name: string }, deps: DriverDeps): Explorer {
  let opening: Promise<Line> | null = null

  async function line(): Promise<Line> {
    opening ??= openLine(options, deps)
    try {
      return await opening
    } catch (error) {
      opening = null
      throw new Error(failureReason(error))
    }
  }

  return {
    async browse(nodeId, continuation) {
      const { session, namespaces } = await line()
      session.requestedMaxReferencesPerNode = browsedNodesMax
      const result = await ask(() =>
        continuation === undefined
          ? session.browse({
              nodeId: startOf(nodeId, namespaces),
              browseDirection: BrowseDirection.Forward,
              referenceTypeId: hierarchy,
              includeSubtypes: true,
              nodeClassMask: browsedClasses,
              resultMask: wantedFields,
            })
          : session.browseNext(Buffer.from(continuation, 'base64url'), false),
      )
      if (result.statusCode.isNotGood()) throw new Error(statusReason(result.statusCode))
      return ask(() => pageOf(result, session, namespaces))
    },
    async close() {
      const open = await opening?.catch(() => null)
      opening = null
      await open?.close()
    },
  }
}

async function ask<T>(question: () => Promise<T>): Promise<T> {
  try {
    return await question()
  } catch (error) {
    throw new Error(failureReason(error))
  }
}

function startOf(text: string | undefined, namespaces: readonly string[]) {
  if (text === undefined) return makeNodeId(ObjectIds.ObjectsFolder)
  const address = parseNodeAddress(text)
  const node = address === null ? null : resolveNode(address, namespaces)
  if (node === null) throw new Error(`"${text}" is no node of this server`)
  return node
}

async function pageOf(
  result: BrowseResult,
  session: OpcUaSession,
  namespaces: readonly string[],
): Promise<BrowsedPage> {
  // A node may be reached by two references; it is one node.
  const references = [
    ...new Map((result.references ?? []).map((one) => [one.nodeId.toString(), one])).values(),
  ]
  const [values, children] = await Promise.all([
    readVariables(session, references),
    findChildren(session, references),
  ])
  const nodes = references.map((reference, index) =>
    nodeOf(reference, values.get(index), children[index] ?? false, namespaces),
  )
  const point = result.continuationPoint
  return { nodes, continuation: point?.length ? point.toString('base64url') : null }
}

/** Values and access of the variables, by their place. */
async function readVariables(session: OpcUaSession, references: readonly ReferenceDescription[]) {
  const variables = references.flatMap(({ nodeClass, nodeId }, index) =>
    nodeClass === NodeClass.Variable ? [{ index, nodeId }] : [],
  )
  const found = new Map<number, [value: DataValue | undefined, access: DataValue | undefined]>()
  if (variables.length === 0) return found
  const answers = await session.read(
    variables.flatMap(({ nodeId }) => [
      { nodeId, attributeId: AttributeIds.Value },
      { nodeId, attributeId: AttributeIds.UserAccessLevel },
    ]),
  )
  variables.forEach(({ index }, place) => {
    found.set(index, [answers[2 * place], answers[2 * place + 1]])
  })
  return found
}

/** Whether nodes have others below them. Continuation points are released. */
async function findChildren(
  session: OpcUaSession,
  references: readonly ReferenceDescription[],
): Promise<boolean[]> {
  if (references.length === 0) return []
  session.requestedMaxReferencesPerNode = 1
  const results = await session.browse(
    references.map(({ nodeId }) => ({
      nodeId,
      browseDirection: BrowseDirection.Forward,
      referenceTypeId: hierarchy,
      includeSubtypes: true,
      nodeClassMask: browsedClasses,
      resultMask: 0,
    })),
  )
  const points = results.flatMap(({ continuationPoint }) =>
    continuationPoint?.length ? [continuationPoint] : [],
  )
  if (points.length > 0) await session.browseNext(points, true)
  return results.map(({ references: found }) => (found?.length ?? 0) > 0)
}

function nodeOf(
  { nodeId, nodeClass, displayName, browseName }: ReferenceDescription,
  read: [value: DataValue | undefined, access: DataValue | undefined] | undefined,
  hasChildren: boolean,
  namespaces: readonly string[],
): BrowsedNode {
  const [value, access] = read ?? []
  const level = Number(access?.value?.value ?? 0)
  const decoded = value?.statusCode && qualityOf(value.statusCode) !== 0 ? decodeValue(value, null) : null
  const isKnown = decoded !== null && 'value' in decoded
  return {
    nodeId: formatNodeAddress(addressOfNode(nodeId, namespaces)),
    name: displayName.text || browseName.name || '',
    kind: kinds[nodeClass] ?? 'object',
    isVariable: nodeClass === NodeClass.Variable,
    hasChildren,
    type: isKnown ? tagTypeFor(decoded.dataType) : null,
    isReadable: (level & AccessLevelFlag.CurrentRead) !== 0,
    isWritable: (level & AccessLevelFlag.CurrentWrite) !== 0,
    value: isKnown ? decoded.value : null,
  }
}
