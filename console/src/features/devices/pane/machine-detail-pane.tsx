import { machines, mayInEnterprise } from '@busbar/contract'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useRef, useState } from 'react'
import { KeysLink } from '../../../entities/access/keys-link.tsx'
import { ApplyButton } from '../../../entities/application/apply-actions.tsx'
import { WaitingApplication } from '../../../entities/application/waiting-application.tsx'
import { openCheck } from '../../../entities/machine/device-dialog.ts'
import { DriversLink } from '../../../entities/machine/drivers-link.tsx'
import { isHeld, type Machine, type MachineDetail } from '../../../entities/machine/machine.ts'
import { useMachineTypes } from '../../../entities/machine/machine-icon.tsx'
import { MachinePicture } from '../../../entities/machine/machine-picture.tsx'
import { machineDetailQuery, machineTagsQuery } from '../../../entities/machine/machine-queries.ts'
import { statesOf } from '../../../entities/machine/machine-state.ts'
import { firstHistoryTags, firstTrendTags } from '../../../entities/machine/tag-list.ts'
import { hasCardQuery } from '../../../entities/sim/sim-queries.ts'
import { EnterActions } from '../../../entities/visit/enter-actions.tsx'
import { formatRelative, useLang, useText } from '../../../shared/i18n/index.ts'
import { personQuery } from '../../../shared/session/account-queries.ts'
import { Button, IconButton } from '../../../shared/ui/button.tsx'
import { CopyCode } from '../../../shared/ui/copy-code.tsx'
import { StateGlyph } from '../../../shared/ui/data/state-glyph.tsx'
import { EmptyState } from '../../../shared/ui/empty-state.tsx'
import { Icon } from '../../../shared/ui/icon.tsx'
import { Box, Grid, Row, Text } from '../../../shared/ui/layout/layout.tsx'
import { lazyPart } from '../../../shared/ui/lazy-part.tsx'
import css from '../../../shared/ui/pane/pane.module.css'
import { Skeleton } from '../../../shared/ui/skeleton.tsx'
import { SkipButton } from '../../../shared/ui/skip-link.tsx'
import { Tabs } from '../../../shared/ui/tabs/tabs.tsx'
import { useNow } from '../../../shared/ui/use-now.ts'
import { PaneMenu } from '../machine-menu.tsx'
import { maySet, useDeviceSpace } from '../space.ts'
import { EnterpriseSections } from './enterprise-sections.tsx'
import { NetworkMark } from './network-mark.tsx'
import { openAlarmsId } from './open-alarms.tsx'
import { PaneAttributes } from './pane-attributes.tsx'
import { PaneOverview } from './pane-overview.tsx'
import { PaneVariables } from './pane-variables.tsx'
import { PaneVisits } from './pane-visits.tsx'
import { useIsListed } from './use-key-tag.ts'
import { useLatest } from './use-latest.ts'
import { useListedState } from './use-listed-state.ts'
import { useTagChanges } from './use-tag-changes.ts'

const MachineHistory = lazyPart(() =>
  import('../history/machine-history.tsx').then((module) => module.MachineHistory),
)
const EnterpriseSettings = lazyPart(() =>
  import('./enterprise-settings.tsx').then((module) => module.EnterpriseSettings),
)
const PaneAlarms = lazyPart(() => import('./pane-alarms.tsx').then((module) => module.PaneAlarms))
const PaneRules = lazyPart(() => import('./pane-rules.tsx').then((module) => module.PaneRules))
const PlaceTab = lazyPart(() => import('../place/place-tab.tsx').then((module) => module.PlaceTab))
const SimTab = lazyPart(() => import('./sim-tab.tsx').then((module) => module.SimTab))
const RawMessages = lazyPart(() =>
  import('../../../entities/machine/raw/raw-messages.tsx').then((module) => module.RawMessages),
)

const paneTabs = [
  'overview',
  'variables',
  'history',
  'alarms',
  'rules',
  'visits',
  'place',
  'network',
  'sim',
  'raw',
  'settings',
] as const
export type PaneTab = (typeof paneTabs)[number]

const noTags: readonly number[] = []

interface MachineDetailPaneProps {
  /** The machine's row; undefined when it is not in the caller's list. */
  machine: Machine | undefined
  /** It was just added, and the list that contains it is on its way. */
  isComing?: boolean
  /** It replaces the list. */
  large?: boolean
  tab: string | undefined
  onTab: (tab: PaneTab) => void
  onClose: () => void
  onPrevious: (() => void) | undefined
  onNext: (() => void) | undefined
}

/** A machine beside the list, or over it on a phone: its current state, and everything known of it. */
export function MachineDetailPane(props: MachineDetailPaneProps) {
  const { machine, isComing = false, onClose } = props
  const t = useText().machines.pane
  if (!machine) {
    return (
      <>
        <div className={css.head}>
          <Box as="span" grows className={css.titles} />
          <IconButton icon="close" label={t.close} onClick={onClose} />
        </div>
        {isComing ? (
          <PaneSkeleton />
        ) : (
          <EmptyState icon="devices" title={t.gone} hint={t.goneHint}>
            <Button onClick={onClose}>{t.backToList}</Button>
          </EmptyState>
        )}
      </>
    )
  }
  // Another machine is another pane: nothing of the former stays, not even for a moment.
  return <KnownMachine key={machine.id} {...props} machine={machine} />
}

function KnownMachine(props: MachineDetailPaneProps & { machine: Machine }) {
  const { machine, onTab } = props
  const text = useText()
  const t = text.machines
  const lang = useLang()
  const id = machine.id
  const space = useDeviceSpace()
  const isOwn = space.kind === 'personal'
  const hasRight = machine.level > machines.limitAuthority.ordinary
  // For an enterprise's device, the list contains everything that a person without a right may see.
  const answer = useQuery({ ...machineDetailQuery(id, lang), enabled: isOwn || hasRight })
  useListedState(machine, !isOwn)
  const detail = isHeld(answer.data) ? answer.data : undefined
  const mayRead = detail !== undefined && machine.overview !== null
  const tags = useQuery({ ...machineTagsQuery(id, lang), enabled: mayRead })
  const isListed = useIsListed(id, isOwn)
  useLatest(id, mayRead)
  useTagChanges(id)

  const [chosen, setChosen] = useState<readonly number[]>()
  // Chosen once: another key value later does not change the open trend.
  if (!chosen && tags.data && detail) setChosen(firstTrendTags(tags.data, detail.keyTagId))
  const shown = chosen ?? noTags
  const scroller = useRef<HTMLDivElement>(null)

  const maySeeCard = machine.level >= machines.limitAuthority.bkey || !isOwn
  const eid = space.kind === 'personal' ? undefined : space.eid
  const card = useQuery({ ...hasCardQuery(machine.code, eid), enabled: maySeeCard })

  const hidesMap = useQuery(personQuery).data?.hide_map !== false

  const attributes = detail?.attributes ?? {}
  const tabs: { id: PaneTab; label: string; count?: number }[] = [{ id: 'overview', label: t.pane.overview }]
  if (mayRead)
    tabs.push({ id: 'variables', label: t.pane.variables, ...(tags.data ? { count: tags.data.length } : {}) })
  if (mayRead) tabs.push({ id: 'history', label: text.history.tab })
  const isKey = machine.level >= machines.limitAuthority.bkey
  if (detail && (isKey || detail.handlesAlarms))
    tabs.push({
      id: 'alarms',
      label: t.alarms.tab,
      ...(machine.openAlarms > 0 ? { count: machine.openAlarms } : {}),
    })
  if (mayRead) tabs.push({ id: 'rules', label: text.alarmRules.tab })
  if (detail) tabs.push({ id: 'visits', label: text.visits.pane.tab })
  if (detail && !hidesMap) tabs.push({ id: 'place', label: t.pane.place })
  if (detail) tabs.push({ id: 'network', label: t.pane.network })
  // Opened by its address it is there while it is on its way.
  if (card.data || (card.isLoading && props.tab === 'sim')) tabs.push({ id: 'sim', label: t.pane.sim })
  if (detail && isKey) tabs.push({ id: 'raw', label: text.raw.tab })
  if (maySet(space)) tabs.push({ id: 'settings', label: text.enterprises.devices.edit })
  const tab = tabs.find(({ id: known }) => known === props.tab)?.id ?? 'overview'

  function content(): ReactNode {
    if (tab === 'settings') return <EnterpriseSettings machine={machine} onClose={props.onClose} />
    if (tab === 'sim') return <SimTab machineCode={machine.code} />
    if (!isOwn && !hasRight) return <EnterpriseSections machine={machine} />
    if (!answer.data) {
      return answer.isError ? (
        <EmptyState icon="warning" title={t.pane.failed} hint={t.failed.hint}>
          <Button icon="refresh" busy={answer.isFetching} onClick={() => void answer.refetch()}>
            {t.failed.retry}
          </Button>
        </EmptyState>
      ) : (
        <PaneSkeleton />
      )
    }
    if (!detail) return <OrdinaryUser machine={answer.data} isBlacklisted={machine.role === 'blacklisted'} />
    if (tab === 'place') return <PlaceTab machine={machine} />
    if (tab === 'network') return <PaneAttributes machine={machine} detail={detail} />
    if (tab === 'alarms') return <PaneAlarms machine={machine} />
    if (tab === 'raw') return <RawMessages machineId={id} textEncoding={detail.textEncoding} />
    if (tab === 'visits') return <PaneVisits machine={machine} />
    if (tags.isError && !tags.data) {
      return (
        <EmptyState icon="warning" title={t.variables.failed} hint={t.failed.hint}>
          <Button icon="refresh" busy={tags.isFetching} onClick={() => void tags.refetch()}>
            {t.failed.retry}
          </Button>
        </EmptyState>
      )
    }
    if (tab === 'variables' && tags.data) {
      return (
        <PaneVariables
          machineId={id}
          online={machine.online}
          readOnly={detail.readOnly}
          mayDescribe={isKey && !detail.readOnly}
          tags={tags.data}
          keyTagId={isListed ? detail.keyTagId : undefined}
          chosen={shown}
          onChoose={setChosen}
          onShowTrend={() => onTab('overview')}
          scroller={scroller}
        />
      )
    }
    if (tab === 'rules' && tags.data) return <PaneRules machine={machine} tags={tags.data} />
    if (tab === 'history') {
      if (!tags.data) return <PaneSkeleton />
      const firstTags = firstHistoryTags(tags.data, shown)
      return <MachineHistory machine={machine} tags={tags.data} firstTags={firstTags} />
    }
    return <PaneOverview row={machine} detail={detail} tags={tags.data} chosen={shown} onChoose={setChosen} />
  }

  return (
    <>
      {tab === 'overview' && detail && detail.openAlarms.length > 0 && (
        <SkipButton
          label={t.alarms.skip}
          onGo={() => document.getElementById(openAlarmsId)?.focus({ preventScroll: true })}
        />
      )}
      <PaneHead {...props} attributes={attributes} />
      <Row gap={8} align="stretch" wraps fixed className={css.actions}>
        {(hasRight || !isOwn) && <EnterActions machine={machine} />}
        {isOwn && <ApplyButton machine={machine} />}
        <KeysLink machine={machine} />
        <DriversLink
          machine={machine}
          mayAsMember={space.kind === 'owned' && mayInEnterprise(space.permission, 'manage')}
        />
        {isOwn ? <PaneMenu machine={machine} /> : <CheckButton machine={machine} />}
      </Row>
      {machine.application && (
        <div className={css.note}>
          <WaitingApplication application={machine.application} machineId={id} />
        </div>
      )}
      <Tabs
        label={t.pane.tabs}
        tabs={tabs}
        chosen={tab}
        onChoose={onTab}
        panelRef={scroller}
        panelClassName={css.content}
      >
        {detail && tab !== 'settings' && !machine.online && <OfflineNote machine={machine} />}
        {content()}
      </Tabs>
    </>
  )
}

function PaneHead(props: MachineDetailPaneProps & { machine: Machine; attributes: Record<string, string> }) {
  const { machine, attributes, large = false, onPrevious, onNext, onClose } = props
  const Title = large ? 'h1' : 'h2'
  const t = useText().machines.pane
  const types = useMachineTypes()
  return (
    <div className={css.head}>
      <MachinePicture look={types.look(machine)} photo={machine.photo} size="pane" />
      <Box grows className={css.titles}>
        <Title className={`${css.title} cut`} title={machine.name}>
          {machine.name}
        </Title>
        <Row as="p" shrinks tone="soft" size="12/18" className={css.under}>
          {statesOf(machine).map((state) => (
            <StateGlyph key={state} state={state} strong size={9} />
          ))}
          <span className={`${css.shrink} cut`}>{machine.model || types.name(machine)}</span>
          {(attributes.network || attributes.signal) && (
            <span>
              <NetworkMark attributes={attributes} />
            </span>
          )}
        </Row>
      </Box>
      <Row align="stretch" fixed>
        <IconButton
          icon="chevronUp"
          label={t.previous}
          className={css.step}
          disabled={!onPrevious}
          onClick={onPrevious}
          aria-keyshortcuts="K"
        />
        <IconButton
          icon="chevronDown"
          label={t.next}
          className={css.step}
          disabled={!onNext}
          onClick={onNext}
          aria-keyshortcuts="J"
        />
        <IconButton icon="close" label={t.close} onClick={onClose} aria-keyshortcuts="Escape" />
      </Row>
    </div>
  )
}

function CheckButton({ machine }: { machine: Machine }) {
  const t = useText().machineEdit.menu
  return (
    <Button icon="search" onClick={() => openCheck(machine)}>
      {t.check}
    </Button>
  )
}

function OfflineNote({ machine }: { machine: Machine }) {
  const t = useText().machines.pane
  const { check } = useText().machineEdit.menu
  const now = useNow(15_000)
  const { lastSeen } = machine
  return (
    <Row gap={8} className={css.offline}>
      <Icon name="offline" size={14} />
      <Text as="p" grows role="status">
        {lastSeen === null ? t.offlineNever : t.offlineSince(formatRelative(lastSeen, now))}
      </Text>
      <Button size="small" onClick={() => openCheck(machine)}>
        {check}
      </Button>
    </Row>
  )
}

/** The pane of an ordinary user, without data: the device and the next step, or that they are blacklisted. */
function OrdinaryUser({ machine, isBlacklisted }: { machine: MachineDetail; isBlacklisted: boolean }) {
  const { machines: t, visits } = useText()
  const types = useMachineTypes()
  const { title, hint } = isBlacklisted ? visits.page.failures.BLACKLIST : t.ordinary
  return (
    <Box as="section" pad="20 16" className={css.ordinary}>
      <h3>{title}</h3>
      <p>{hint}</p>
      <Row surface="well" pad="10 12" gap={12} justify="between" className={css.codeCard}>
        <CopyCode code={machine.code} />
      </Row>
      <Grid as="dl" above={10} columns={2} gap="10 16" className={css.facts}>
        <div>
          <dt>{t.facts.type}</dt>
          <dd>{types.name(machine)}</dd>
        </div>
      </Grid>
    </Box>
  )
}

function PaneSkeleton() {
  return (
    <div className={css.section} aria-busy="true">
      <Skeleton width={88} height={14} />
      <Skeleton height={52} className={css.skeletonBlock} />
      <Skeleton height={216} className={css.skeletonBlock} />
      <Skeleton width={120} height={14} className={css.skeletonBlock} />
      <Skeleton height={24} className={css.skeletonBlock} />
    </div>
  )
}
