import { agentConfig } from '@busbar/contract'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { agentConfigKey } from '../../entities/machine/agent-config-queries.ts'
import { call } from '../../shared/api/client.ts'
import { Button } from '../../shared/ui/button.tsx'
import { Icon } from '../../shared/ui/icon.tsx'
import { Box, Row, Text } from '../../shared/ui/layout/layout.tsx'
import { Skeleton } from '../../shared/ui/skeleton.tsx'
import { useAgentConfigText } from './agent-config-text.ts'
import { type Connection, tagsOf, toggleNode, withTags } from './draft.ts'
import css from './drivers.module.css'
import { LookFailure } from './look-failure.tsx'
import { type Proved, readOrAsk } from './proved.ts'

/** Interval at which the values of an open branch are reloaded. */
const valuesMs = 3_000

interface LookProps {
  machineId: number
  connection: Connection
  proved: Proved
  isLocked: boolean
  onChange: (next: Connection) => void
}

/** The address space of an OPC UA server with its values; a ticked node becomes a variable. */
export function NodeTree(props: LookProps) {
  return (
    <Box surface="well" pad="10 12" className={css.tree}>
      <Branch {...props} nodeId={null} depth={0} />
    </Box>
  )
}

interface BranchProps extends LookProps {
  nodeId: string | null
  depth: number
}

function Branch(props: BranchProps) {
  const { machineId, connection, proved, nodeId, depth } = props
  const t = useAgentConfigText().look
  // The tags do not matter here: ticking one must not cause another query.
  const looked = withTags(connection, [])
  const query = useInfiniteQuery({
    queryKey: [...agentConfigKey(machineId), 'nodes', JSON.stringify(looked), nodeId],
    queryFn: ({ pageParam, signal }) =>
      readOrAsk(proved, () =>
        call(
          agentConfig.browseAgentNodes,
          { machineId, connection: looked, nodeId, continuation: pageParam },
          { signal, silent: true },
        ),
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ continuation }) => continuation ?? undefined,
    retry: false,
    staleTime: 0,
    gcTime: 0,
    // A further page hangs on a place that the server forgets: then values stand still.
    refetchInterval: ({ state }) =>
      state.status === 'success' && state.data?.pages.length === 1 ? valuesMs : false,
  })
  if (query.isError && !query.data)
    return (
      <LookFailure error={query.error} isFetching={query.isFetching} retry={() => void query.refetch()} />
    )
  if (!query.data) return <Skeleton height={64} />
  const nodes = query.data.pages.flatMap((page) => page.nodes)
  return (
    <>
      <ul className={css.branch}>
        {nodes.length === 0 && (
          <Text as="li" tone="quiet" size="12/18" breaks>
            {t.empty}
          </Text>
        )}
        {nodes.map((node) => (
          <Node key={node.nodeId} {...props} node={node} depth={depth} />
        ))}
      </ul>
      {query.hasNextPage && (
        <Button size="small" busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          {t.more}
        </Button>
      )}
    </>
  )
}

function Node(props: BranchProps & { node: agentConfig.AgentNode }) {
  const { node, connection, depth, isLocked, onChange } = props
  const t = useAgentConfigText().look
  const [isOpen, setOpen] = useState(false)
  const isChosen = tagsOf(connection).some((tag) => tag.nodeId === node.nodeId)
  const mayChoose = node.isVariable && node.isReadable && node.type !== null
  return (
    <li>
      <Row gap={8} className={css.node} style={{ paddingInlineStart: `${depth * 18}px` }}>
        {node.hasChildren ? (
          <button
            type="button"
            className={css.twig}
            aria-expanded={isOpen}
            aria-label={t.open(node.name)}
            onClick={() => setOpen(!isOpen)}
          >
            <Icon name={isOpen ? 'chevronDown' : 'chevronRight'} size={14} />
          </button>
        ) : (
          <span className={css.twig} />
        )}
        {node.isVariable ? (
          <Row as="label" gap={8} grows className={css.choice}>
            <input
              type="checkbox"
              checked={isChosen}
              disabled={isLocked || (!mayChoose && !isChosen)}
              aria-label={t.choose(node.name)}
              onChange={() => onChange(toggleNode(connection, node))}
            />
            <span className="cut" title={node.nodeId}>
              {node.name}
            </span>
          </Row>
        ) : (
          <span className={`${css.folder} cut`} title={node.nodeId}>
            {node.name}
          </span>
        )}
        {node.isVariable && (
          <Text shrinks cut numbers className={css.value} title={node.value ?? undefined}>
            {node.isReadable ? (node.value ?? t.unsupported) : t.unreadable}
          </Text>
        )}
        {node.isVariable && (
          <Text fixed tone="quiet" size={12} to="end" className={css.nodeType}>
            {node.type ?? ''}
          </Text>
        )}
      </Row>
      {isOpen && <Branch {...props} nodeId={node.nodeId} depth={depth + 1} />}
    </li>
  )
}
