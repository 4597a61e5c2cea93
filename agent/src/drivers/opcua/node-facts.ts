import type { DataValue, NodeId } from 'node-opcua-client'
import {
  AttributeIds,
  BrowsePath,
  DataType,
  makeNodeId,
  ReferenceTypeIds,
  VariantArrayType,
} from 'node-opcua-client'
import type { OpcUaSession } from './opcua-line.ts'

const nodesPerCallMax = 200
/** The last number of a built-in type among the types of OPC UA itself. */
const lastBuiltIn = 25
const textsMax = 256

/** The properties of a node that describe its values. */
export interface NodeFacts {
  unit?: string
  /** The plausible range (EURange). */
  min?: number
  max?: number
  /** The texts of an enumeration by number. */
  words?: Record<string, string>
}

const properties = ['EngineeringUnits', 'EURange', 'EnumStrings', 'EnumValues'] as const
type Property = (typeof properties)[number]

/** Reads the facts of nodes, in their order. */
export async function readNodeFacts(session: OpcUaSession, nodes: readonly NodeId[]): Promise<NodeFacts[]> {
  const enumerations = new Map<string, Promise<NodeFacts>>()
  const facts: NodeFacts[] = []
  for (let from = 0; from < nodes.length; from += nodesPerCallMax) {
    const part = nodes.slice(from, from + nodesPerCallMax)
    const own = await readProperties(session, part)
    const types = await session.read(part.map((nodeId) => ({ nodeId, attributeId: AttributeIds.DataType })))
    for (const [place, found] of own.entries()) {
      const type = types[place]?.value?.value as NodeId | undefined
      if (found.words === undefined && type && !isBuiltIn(type)) {
        const key = type.toString()
        const known = enumerations.get(key) ?? readProperties(session, [type]).then(([first = {}]) => first)
        enumerations.set(key, known)
        const { words } = await known
        if (words !== undefined) found.words = words
      }
      facts.push(found)
    }
  }
  return facts
}

function isBuiltIn({ namespace, value }: NodeId): boolean {
  return namespace === 0 && typeof value === 'number' && value <= lastBuiltIn
}

async function readProperties(session: OpcUaSession, nodes: readonly NodeId[]): Promise<NodeFacts[]> {
  const asked = nodes.flatMap((node, place) => properties.map((property) => ({ node, place, property })))
  const paths = await session.translateBrowsePath(asked.map(({ node, property }) => pathOf(node, property)))
  const found = paths.flatMap(({ statusCode, targets }, index) => {
    const target = statusCode.isGood() ? targets?.[0]?.targetId : undefined
    const { place, property } = asked[index] ?? {}
    return target && place !== undefined && property !== undefined ? [{ target, place, property }] : []
  })
  const facts: NodeFacts[] = nodes.map(() => ({}))
  if (found.length === 0) return facts
  const values = await session.read(
    found.map(({ target }) => ({ nodeId: target, attributeId: AttributeIds.Value })),
  )
  found.forEach(({ place, property }, index) => {
    Object.assign(facts[place] ?? {}, factsOf(property, values[index]))
  })
  return facts
}

function pathOf(startingNode: NodeId, name: Property): BrowsePath {
  return new BrowsePath({
    startingNode,
    relativePath: {
      elements: [
        {
          referenceTypeId: makeNodeId(ReferenceTypeIds.HasProperty),
          isInverse: false,
          includeSubtypes: true,
          targetName: { namespaceIndex: 0, name },
        },
      ],
    },
  })
}

interface Text {
  text?: string | null
}

function factsOf(property: Property, read: DataValue | undefined): NodeFacts {
  const variant = read?.value
  const value: unknown = variant?.value
  if (!variant || typeof value !== 'object' || value === null) return {}
  switch (property) {
    case 'EngineeringUnits': {
      const unit = (value as { displayName?: Text }).displayName?.text?.trim()
      return unit ? { unit } : {}
    }
    case 'EURange': {
      const { low, high } = value as { low?: unknown; high?: unknown }
      if (typeof low !== 'number' || typeof high !== 'number' || !(low < high)) return {}
      return Number.isFinite(low) && Number.isFinite(high) ? { min: low, max: high } : {}
    }
    case 'EnumStrings':
      if (variant.arrayType !== VariantArrayType.Array || variant.dataType !== DataType.LocalizedText)
        return {}
      return wordsOf((value as Text[]).map(({ text }, number) => [String(number), text ?? '']))
    case 'EnumValues':
      if (variant.arrayType !== VariantArrayType.Array) return {}
      return wordsOf(
        (value as { value?: [number, number]; displayName?: Text }[]).map(
          ({ value: wide = [0, 0], displayName }) => [String(wide[1] | 0), displayName?.text ?? ''],
        ),
      )
  }
}

function wordsOf(entries: [string, string][]): NodeFacts {
  const words = entries.filter(([, text]) => text !== '').slice(0, textsMax)
  return words.length === 0 ? {} : { words: Object.fromEntries(words) }
}
