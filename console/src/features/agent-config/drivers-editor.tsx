import { ApiError, agentConfig } from '@busbar/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useProof } from '../../entities/account/use-proof.tsx'
import { agentConfigKey, agentDocumentQuery } from '../../entities/machine/agent-config-queries.ts'
import { call } from '../../shared/api/client.ts'
import { formatNumber, useText } from '../../shared/i18n/index.ts'
import { Button } from '../../shared/ui/button.tsx'
import { classes } from '../../shared/ui/classes.ts'
import { EmptyState } from '../../shared/ui/empty-state.tsx'
import { Icon } from '../../shared/ui/icon.tsx'
import { Box, Panel, Row, Text } from '../../shared/ui/layout/layout.tsx'
import { lazyPart } from '../../shared/ui/lazy-part.tsx'
import { ShapeWait } from '../../shared/ui/shape-wait.tsx'
import { showToast } from '../../shared/ui/toast/toast-store.ts'
import { useAgentConfigText } from './agent-config-text.ts'
import { ApplyBar } from './apply-bar.tsx'
import { ConnectionCard, Troubles } from './connection-card.tsx'
import { ConnectionDialog } from './connection-dialog.tsx'
import { type Connection, renamed, textOf } from './draft.ts'
import css from './drivers.module.css'
import { explainProblem, type Problem } from './explain.ts'
import { countHosts } from './scans.ts'
import { TrialProgress } from './trial-progress.tsx'
import { VersionList } from './version-list.tsx'

const ScanDialog = lazyPart(() => import('./scan-dialog.tsx').then((module) => module.ScanDialog), 'dialog')

interface DriversEditorProps {
  machineId: number
  config: agentConfig.AgentConfig
  /** The caller may look at the configuration, and change nothing. */
  isReadOnly: boolean
}

/** The current connections, and the edited ones; nothing changes before it is applied. */
export function DriversEditor({ machineId, config, isReadOnly }: DriversEditorProps) {
  const t = useAgentConfigText()
  const { lacks } = useText().access
  const client = useQueryClient()
  const { proved, dialog } = useProof()
  const document = useQuery(agentDocumentQuery(machineId, config.revision))
  const [draft, setDraft] = useState<{ base: number; connections: readonly Connection[] }>()
  /** The version that the draft became: it is one as long as the agent has not kept it. */
  const [sent, setSent] = useState<number>()
  const [problems, setProblems] = useState<readonly Problem[]>([])
  const [busy, setBusy] = useState<'check' | 'apply'>()
  const [editing, setEditing] = useState<{ place: number } | { added: Connection | undefined }>()
  const [scans, setScans] = useState(false)
  const saved = document.data?.connections
  const connections = draft?.connections ?? saved
  const local = config.connections.filter(({ isRemote }) => !isRemote)

  function change(next: readonly Connection[]): void {
    setProblems([])
    setDraft({ base: draft?.base ?? config.revision, connections: next })
  }

  const explainAll = (told: readonly { path: string; message: string }[]) =>
    told.map((one) => explainProblem(one, connections ?? [], t.problems))

  /** Runs work that needs the password and control, and explains a refusal. */
  async function run<Answer>(
    kind: 'check' | 'apply',
    work: () => Promise<Answer>,
  ): Promise<Answer | undefined> {
    setBusy(kind)
    try {
      return await proved(work)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      if (error.is('AGENT_CONFIG_WRONG')) setProblems(explainAll(problemsIn(error.data)))
      else showToast(error.is('CONTROL_TAKEN') ? t.taken(nameIn(error.data)) : error.message, 'failure')
      return undefined
    } finally {
      setBusy(undefined)
      void client.invalidateQueries({ queryKey: agentConfigKey(machineId) })
    }
  }

  async function check(): Promise<void> {
    const wish = { machineId, connections: [...(connections ?? [])] }
    const answer = await run('check', () => call(agentConfig.checkAgentConfig, wish, { noNotice: true }))
    if (!answer) return
    setProblems(explainAll(answer.problems))
    if (answer.problems.length === 0) showToast(t.bar.right)
  }

  async function apply(): Promise<void> {
    if (!draft) return
    const wish = { machineId, base: draft.base, connections: [...draft.connections] }
    const answer = await run('apply', () => call(agentConfig.applyAgentConfig, wish, { noNotice: true }))
    if (!answer) return
    setProblems([])
    setSent(answer.revision)
  }

  const isInUse = sent !== undefined && config.trial === null && config.revision === sent
  useEffect(() => {
    if (!isInUse) return
    setSent(undefined)
    setDraft(undefined)
    showToast(t.bar.applied(config.revision))
  }, [isInUse, config.revision, t])

  if (!connections) {
    return document.isError ? (
      <EmptyState icon="warning" title={t.load.failed}>
        <Button icon="refresh" onClick={() => void document.refetch()}>
          {t.load.retry}
        </Button>
      </EmptyState>
    ) : (
      <ShapeWait shape="detail" />
    )
  }
  const kinds = config.kinds
  const isLocked = isReadOnly || config.trial !== null
  const exploreOf = (connection: Connection) =>
    (!isReadOnly && kinds.find(({ kind }) => kind === connection.driver)?.explore) || 'none'
  const edited = editing && 'place' in editing ? connections[editing.place] : undefined
  const names = [...local.map(({ name }) => name), ...connections.map((one) => textOf(one, 'name'))]
  return (
    <>
      <p className={css.lead}>{t.lead(config.networks.join(', '))}</p>
      {config.wideNetworks.length > 0 && (
        <p className={classes(css.lead, css.wide)}>
          <Icon name="warning" size={14} />
          {t.wide(config.wideNetworks.join(', '))}
        </p>
      )}
      {isReadOnly && <p className={css.lead}>{lacks.settings}</p>}
      {config.trial && <TrialProgress trial={config.trial} />}
      {problems.length > 0 && <Problems problems={problems} />}
      <Box as="section" below={24} aria-labelledby="drivers-connections">
        <Row below={8} gap={12} justify="between" className={css.sectionHead}>
          <h2 id="drivers-connections">{t.connections.title}</h2>
          <Row gap={8}>
            {connections.length + local.length > 0 && (
              <Button icon="search" onClick={() => setScans(true)} disabled={isLocked}>
                {t.scan.title}
              </Button>
            )}
            <Button icon="plus" onClick={() => setEditing({ added: undefined })} disabled={isLocked}>
              {t.connections.add}
            </Button>
          </Row>
        </Row>
        {connections.length + local.length === 0 && (
          <EmptyState icon="link" title={t.connections.none} hint={t.connections.noneHint}>
            <Button kind="primary" icon="search" onClick={() => setScans(true)} disabled={isLocked}>
              {t.scan.title}
            </Button>
          </EmptyState>
        )}
        {local.map((one) => (
          <Panel key={one.name} as="div" className={css.card} data-subject="">
            <Row gap="4 10" wraps className={css.cardHead}>
              <span className={css.state} data-state={one.state} />
              <Text weight={600} breaks>
                {one.name}
              </Text>
              <Text fixed tone="soft" size={12} className={css.stateWord} data-state={one.state}>
                {t.connections.states[one.state]}
              </Text>
              <span className={css.minor}>{t.drivers[one.driver] ?? one.driver}</span>
              <span className={css.chip} title={t.connections.localHint}>
                <Icon name="lock" size={12} />
                {t.connections.local}
              </span>
              <Text grows tone="quiet" size={12} oneLine numbers to="end" className={css.count}>
                {t.connections.tags(formatNumber(one.tagCount))}
              </Text>
            </Row>
            <Troubles of={one} />
          </Panel>
        ))}
        {connections.map((connection, index) => (
          <ConnectionCard
            // biome-ignore lint/suspicious/noArrayIndexKey: a connection keeps its place while it is edited
            key={index}
            machineId={machineId}
            connection={connection}
            live={config.connections.find(
              ({ name, isRemote }) => isRemote && name === textOf(connection, 'name'),
            )}
            isEdited={saved !== undefined && JSON.stringify(saved[index]) !== JSON.stringify(connection)}
            explore={exploreOf(connection)}
            proved={proved}
            isLocked={isLocked}
            onChange={(next) => change(connections.map((one, place) => (place === index ? next : one)))}
            onEdit={() => setEditing({ place: index })}
            onRemove={() => {
              change(connections.filter((_, place) => place !== index))
              showToast(t.connections.removed(textOf(connection, 'name')), 'info')
            }}
          />
        ))}
      </Box>
      <VersionList
        machineId={machineId}
        config={config}
        isLocked={isLocked}
        run={(work) => run('apply', work)}
      />
      {draft && (
        <ApplyBar
          busy={busy}
          isLocked={isLocked}
          onDiscard={() => {
            setDraft(undefined)
            setProblems([])
          }}
          onCheck={() => void check()}
          onApply={() => void apply()}
        />
      )}
      {scans && (
        <ScanDialog
          machineId={machineId}
          networks={config.networks.filter((one) => countHosts(one) !== undefined)}
          kinds={kinds.map(({ kind }) => kind)}
          connections={connections}
          proved={proved}
          onSetUp={(added) => setEditing({ added })}
          onClose={() => setScans(false)}
        />
      )}
      {editing !== undefined && (
        <ConnectionDialog
          connection={edited ?? ('added' in editing ? editing.added : undefined)}
          isNew={edited === undefined}
          kinds={kinds.map(({ kind }) => kind)}
          taken={names.filter((name) => !edited || name !== textOf(edited, 'name'))}
          onClose={() => setEditing(undefined)}
          onSave={(next) => {
            change(
              edited
                ? connections.map((one) => (one === edited ? renamed(next, textOf(edited, 'name')) : one))
                : [...connections, next],
            )
            setEditing(undefined)
          }}
        />
      )}
      {dialog}
    </>
  )
}

function Problems({ problems }: { problems: readonly Problem[] }) {
  const t = useAgentConfigText().problems
  return (
    <Box surface="plain" pad="12 16" below={14} className={css.problems} role="alert">
      <Row as="p" gap={8} tone="crit" weight={600}>
        <Icon name="warning" />
        {t.title}
      </Row>
      <ul>
        {problems.map(({ place, text }) => (
          <li key={`${place} ${text}`}>
            <span className={css.where}>{place}</span>
            {text}
          </li>
        ))}
      </ul>
    </Box>
  )
}

function problemsIn(data: unknown): { path: string; message: string }[] {
  if (typeof data !== 'object' || data === null || !('problems' in data)) return []
  return data.problems as { path: string; message: string }[]
}

function nameIn(data: unknown): string {
  return typeof data === 'object' && data !== null && 'name' in data ? String(data.name) : ''
}
