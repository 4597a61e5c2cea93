import { enterprises, mayCall } from '@busbar/contract'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useRef, useState } from 'react'
import { KeysLink } from '../../../entities/access/keys-link.tsx'
import { enterAddress, mayEnter } from '../../../entities/machine/enter-machine.ts'
import type { Machine } from '../../../entities/machine/machine.ts'
import { useMachineTypes } from '../../../entities/machine/machine-icon.tsx'
import { MachinePicture } from '../../../entities/machine/machine-picture.tsx'
import { machineDetailQuery, machineTagsQuery } from '../../../entities/machine/machine-queries.ts'
import { firstTrendTags } from '../../../entities/machine/tag-list.ts'
import { visitIcons } from '../../../entities/machine/visit-icons.ts'
import { useLang, useText } from '../../../shared/i18n/index.ts'
import { IconButton } from '../../../shared/ui/button.tsx'
import { StateGlyph } from '../../../shared/ui/data/state-glyph.tsx'
import { Icon } from '../../../shared/ui/icon.tsx'
import { LinkButton } from '../../../shared/ui/link-button.tsx'
import css from '../../../shared/ui/pane/pane.module.css'
import { Skeleton } from '../../../shared/ui/skeleton.tsx'
import { PaneTabs } from '../pane/pane-tabs.tsx'
import { PaneVariables } from '../pane/pane-variables.tsx'
import { useHistoryChanges } from '../pane/use-history-changes.ts'
import { useLatest } from '../pane/use-latest.ts'
import { useEnterBlock } from './device-columns.tsx'
import { DeviceOverview } from './device-overview.tsx'
import type { DevicePaneProps } from './device-pane-props.ts'
import { DeviceSettings } from './device-settings.tsx'

type Tab = 'overview' | 'variables' | 'settings'

const settingsCalls = [enterprises.updateEnterpriseMachine, enterprises.updateMaintenanceRemark]

/** One device: what it does now, what it is, who looks after it, and what the enterprise notes of it. */
export function DevicePane(props: DevicePaneProps): ReactNode {
  const { machine, permission } = props
  const text = useText()
  const lang = useLang()
  const id = machine.id
  const { data: detail } = useQuery({ ...machineDetailQuery(id, lang), enabled: mayEnter(machine) })
  const held = detail && 'keyTagId' in detail ? detail : undefined
  const { data: tags } = useQuery({ ...machineTagsQuery(id, lang), enabled: mayEnter(machine) })
  useLatest(id, mayEnter(machine))
  useHistoryChanges(id)
  const [chosen, setChosen] = useState<readonly number[]>()
  if (!chosen && tags && held) setChosen(firstTrendTags(tags, held.keyTagId))
  const [wanted, setTab] = useState<Tab>('overview')
  const scroller = useRef<HTMLDivElement>(null)

  const tabs: { id: Tab; label: string; count?: number }[] = [
    { id: 'overview', label: text.machines.pane.overview },
  ]
  if (mayEnter(machine) && tags)
    tabs.push({ id: 'variables', label: text.machines.pane.variables, count: tags.length })
  if (settingsCalls.some((route) => mayCall(route, permission)))
    tabs.push({ id: 'settings', label: text.enterprises.devices.edit })
  // What one lost the right to is left at once.
  const tab = tabs.find((each) => each.id === wanted)?.id ?? 'overview'

  function content() {
    if (tab === 'settings') return <DeviceSettings {...props} />
    if (tab === 'variables' && tags)
      return (
        <PaneVariables
          machineId={id}
          online={machine.online}
          readOnly={held?.readOnly !== false}
          tags={tags}
          keyTagId={undefined}
          chosen={chosen ?? []}
          onChoose={setChosen}
          onShowTrend={() => setTab('overview')}
          scroller={scroller}
        />
      )
    return <DeviceOverview {...props} detail={held} tags={tags} chosen={chosen ?? []} onChoose={setChosen} />
  }

  return (
    <>
      <PaneHead {...props} />
      <div className={css.actions}>
        <EnterButton machine={machine} />
        <KeysLink
          machine={{
            id,
            name: machine.name,
            level: machine.level,
          }}
        />
      </div>
      {tabs.length > 1 && <PaneTabs tabs={tabs} chosen={tab} onChoose={setTab} />}
      <div
        ref={scroller}
        id={`pane-${tab}`}
        className={css.content}
        role="tabpanel"
        aria-label={tabs.find((each) => each.id === tab)?.label ?? ''}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by the keyboard
        tabIndex={0}
      >
        {mayEnter(machine) && !tags ? <PaneSkeleton /> : content()}
      </div>
    </>
  )
}

function PaneHead({ machine, onClose }: DevicePaneProps) {
  const { app } = useText()
  const types = useMachineTypes()
  return (
    <div className={css.head}>
      <MachinePicture look={types.look(machine)} photo={machine.photo} size="pane" />
      <div className={css.titles}>
        <h2 className={`${css.title} cut`} title={machine.name}>
          {machine.name}
        </h2>
        <p className={css.under}>
          <StateGlyph state={machine.online ? 'online' : 'offline'} strong size={9} />
          <span className={`${css.shrink} cut`}>{machine.model || types.name(machine)}</span>
        </p>
      </div>
      <div className={css.buttons}>
        <IconButton icon="close" label={app.close} onClick={onClose} aria-keyshortcuts="Escape" />
      </div>
    </div>
  )
}

function EnterButton({ machine }: { machine: Machine }) {
  const t = useText().enterprises.devices
  const block = useEnterBlock()(machine)
  return (
    <LinkButton
      kind="primary"
      href={block === undefined ? enterAddress(machine.id) : undefined}
      target="_blank"
      rel="noopener"
      data-tip={block}
    >
      <Icon path={visitIcons.enter} />
      {t.enter}
    </LinkButton>
  )
}

function PaneSkeleton() {
  return (
    <div className={css.section} aria-busy="true">
      <Skeleton width={88} height={14} />
      <Skeleton height={216} className={css.skeletonBlock} />
      <Skeleton width={120} height={14} className={css.skeletonBlock} />
    </div>
  )
}
