import type { NodeId } from 'node-opcua-client'
import { AttributeIds, DataType, VariantArrayType } from 'node-opcua-client'
import type { OpcUaSession } from './opcua-line.ts'
import { isNodeGone, statusReason } from './reasons.ts'

/** The form of a node's values. */
export interface NodeShape {
  readonly dataType: DataType
  readonly isArray: boolean
}

/** A node's ValueRank (OPC 10000-3, 5.6.2) of single values; below it the node may also hold arrays. */
const scalarRank = -1

/**
 * Reads what a node takes, before something is written to it: many servers let a single value replace an array.
 * The value that is there counts as much as the attributes, because servers tell only one of them rightly. Throws with
 * an explanation for a person if the shape cannot be known.
 */
export async function readNodeShape(session: OpcUaSession, nodeId: NodeId): Promise<NodeShape> {
  const [value, rank] = await session.read([
    { nodeId, attributeId: AttributeIds.Value },
    { nodeId, attributeId: AttributeIds.ValueRank },
  ])
  if (value === undefined || isNodeGone(value.statusCode))
    throw new Error(value === undefined ? 'no answer in time' : statusReason(value.statusCode))
  const told: unknown = rank?.statusCode.isGood() ? rank.value?.value : undefined
  const isArrayByRank = typeof told === 'number' && told > scalarRank
  const variant = value.value
  if (variant && variant.dataType !== DataType.Null)
    return {
      dataType: variant.dataType,
      isArray: isArrayByRank || variant.arrayType !== VariantArrayType.Scalar,
    }
  if (!isArrayByRank && told !== scalarRank)
    throw new Error('the node has no value, and its server does not say whether it holds an array')
  return { dataType: await session.getBuiltInDataType(nodeId), isArray: isArrayByRank }
}
