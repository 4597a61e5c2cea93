import { Link } from '@tanstack/react-router'
import { useAskRw } from '../../entities/application/use-ask-rw.ts'
import { enterAddress } from '../../entities/machine/enter-machine.ts'
import { visitIcons } from '../../entities/machine/visit-icons.ts'
import { ControlState } from '../../entities/visit/live/control-state.tsx'
import { TimeLeft, useMayStay } from '../../entities/visit/live/time-left.tsx'
import { useOwnControl } from '../../entities/visit/live/use-control-actions.tsx'
import { useEndVisit, useStay } from '../../entities/visit/visit-actions.ts'
import type { LiveVisit } from '../../entities/visit/visit-state.ts'
import type { ControllerHolder } from '../../shared/api/push-messages.ts'
import { type Text, useText } from '../../shared/i18n/index.ts'
import { Button, IconButton } from '../../shared/ui/button.tsx'
import { Icon } from '../../shared/ui/icon.tsx'
import { Row, Stack } from '../../shared/ui/layout/layout.tsx'
import { LinkButton } from '../../shared/ui/link-button.tsx'
import { Menu, MenuItem, MenuLine } from '../../shared/ui/menu/menu.tsx'
import { OtherAddressHint } from './other-address-hint.tsx'
import css from './visit-bar.module.css'

interface VisitRowProps {
  visit: LiveVisit
  /** The person in control; undefined if unknown here. */
  holder: ControllerHolder | undefined
  narrow: boolean
}

/** One visit of the caller: its state, its remaining time, and its actions. */
export function VisitRow({ visit, holder, narrow }: VisitRowProps) {
  return (
    <div className={css.row}>
      {narrow ? <NarrowWords visit={visit} /> : <WideWords visit={visit} holder={holder} />}
      <VisitButtons visit={visit} holder={holder} narrow={narrow} />
    </div>
  )
}

function MachineName({ visit }: { visit: LiveVisit }) {
  return (
    <Link
      to="/index/"
      search={{ machine: visit.machineId }}
      className={`${css.name} cut`}
      title={visit.machineName}
    >
      {visit.machineName || '…'}
    </Link>
  )
}

function WideWords({ visit, holder }: Pick<VisitRowProps, 'visit' | 'holder'>) {
  const t = useText().visits
  const target = t.targets.names[visit.target] ? '' : visit.target
  return (
    <Row gap={10} grows tone="soft" className={css.words}>
      <Icon path={visitIcons.enter} />
      <MachineName visit={visit} />
      {target && <span className={`${css.target} mono`}>{target}</span>}
      <ControlState controls={visit.controls} />
      {!visit.controls && (visit.asks || holder !== undefined) && (
        <span className={`${css.holder} cut`}>{visit.asks ? t.bar.asked : holderWords(holder, t.bar)}</span>
      )}
      <TimeLeft visit={visit} />
    </Row>
  )
}

/** Names who is in control instead: another person, the caller in another visit, or no one. */
function holderWords(holder: ControllerHolder | undefined, t: Text['visits']['bar']): string {
  if (!holder?.who) return t.free
  return holder.me ? t.holderMe : t.holder(holder.who)
}

function NarrowWords({ visit }: { visit: LiveVisit }) {
  const t = useText().visits
  const target = t.targets.names[visit.target] ? '' : visit.target
  return (
    <Stack gap={2} grows>
      <MachineName visit={visit} />
      <Row as="span" gap={8} tone="soft" size="12/18">
        {target && <span className={`${css.target} mono cut`}>{target}</span>}
        {visit.asks && !visit.controls ? (
          <span className="cut">{t.bar.asked}</span>
        ) : (
          <ControlState controls={visit.controls} />
        )}
        <TimeLeft visit={visit} short />
      </Row>
    </Stack>
  )
}

function VisitButtons({ visit, holder, narrow }: VisitRowProps) {
  const t = useText().visits.bar
  const end = useEndVisit()
  const stay = useStay()
  const mayStay = useMayStay(visit)
  const control = useOwnControl(visit, holder?.who ?? null)
  const askRw = useAskRw(visit)
  const isPage = visit.kind === 'page'
  const address = enterAddress(visit.machineId, visit.target)
  const stayButton = mayStay && (
    <Button kind="primary" size="small" busy={stay.isPending} onClick={() => stay.mutate(visit)}>
      {t.stay}
    </Button>
  )
  if (narrow) {
    return (
      <Row gap={6} fixed>
        {!mayStay && <OtherAddressHint visit={visit} />}
        {stayButton}
        {isPage && !mayStay && (
          <LinkButton
            size="small"
            href={address}
            target="_blank"
            rel="noopener"
            aria-label={t.againOf(visit.machineName)}
          >
            {t.again}
          </LinkButton>
        )}
        <Menu
          label={visit.machineName}
          placement="top end"
          trigger={<IconButton icon="more" label={t.more(visit.machineName)} />}
        >
          {isPage && (
            <MenuItem drawing={<Icon path={visitIcons.control} />} onAction={control.run}>
              {control.label}
            </MenuItem>
          )}
          {askRw && (
            <MenuItem icon="edit" onAction={askRw.run}>
              {askRw.label}
            </MenuItem>
          )}
          <MenuLine />
          <MenuItem danger drawing={<Icon path={visitIcons.leave} />} onAction={() => end.mutate(visit)}>
            {t.endVisit}
          </MenuItem>
        </Menu>
        {control.dialog}
      </Row>
    )
  }
  return (
    <Row gap={6} fixed>
      <OtherAddressHint visit={visit} />
      {stayButton}
      {isPage && (
        <Button size="small" busy={control.isPending} onClick={control.run}>
          {control.label}
        </Button>
      )}
      {askRw && (
        <Button size="small" onClick={askRw.run}>
          {askRw.label}
        </Button>
      )}
      {isPage && (
        <LinkButton
          size="small"
          href={address}
          target="_blank"
          rel="noopener"
          aria-label={t.againOf(visit.machineName)}
        >
          <Icon path={visitIcons.page} size={14} />
          {t.again}
        </LinkButton>
      )}
      <Button
        size="small"
        busy={end.isPending}
        aria-label={t.endOf(visit.machineName)}
        onClick={() => end.mutate(visit)}
      >
        {t.end}
      </Button>
      {control.dialog}
    </Row>
  )
}
