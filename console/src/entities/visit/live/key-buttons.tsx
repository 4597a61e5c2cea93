import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useText } from '../../../shared/i18n/index.ts'
import { Button, IconButton } from '../../../shared/ui/button.tsx'
import { Icon } from '../../../shared/ui/icon.tsx'
import { Row } from '../../../shared/ui/layout/layout.tsx'
import { Menu, MenuItem, MenuLine } from '../../../shared/ui/menu/menu.tsx'
import { enterAddress } from '../../machine/enter-machine.ts'
import { visitIcons } from '../../machine/visit-icons.ts'
import type { LiveVisit } from '../visit-state.ts'
import { EndVisitDialog } from './end-visit-dialog.tsx'
import { MoreTimeDialog } from './more-time-dialog.tsx'
import { useGiveControl } from './use-control-actions.tsx'
import { moreTime, useMoreTime, useVisitTime } from './use-more-time.ts'

/** The actions of a key on a live visit: watch, give control, give time, end it. */
export function KeyButtons({ visit, machineName }: { visit: LiveVisit; machineName: string }) {
  const t = useText().visits.pane
  const navigate = useNavigate()
  const { give, isPending, dialog } = useGiveControl(visit.machineId)
  const visitor = useVisitTime(visit)
  const more = useMoreTime(visit.machineId)
  const [asked, setAsked] = useState<'end' | 'time'>()
  const close = () => setAsked(undefined)
  const add = (ms: number) => visitor && more.mutate({ visitor, addMs: ms })

  return (
    <Row gap={6} align="stretch" fixed>
      {!visit.controls && (
        <Button size="small" busy={isPending} onClick={() => give(visit)}>
          {t.give}
        </Button>
      )}
      <Button size="small" aria-label={t.endOf(visit.user)} onClick={() => setAsked('end')}>
        {t.end}
      </Button>
      <Menu
        label={t.more(visit.user)}
        placement="bottom end"
        trigger={<IconButton icon="more" size="small" label={t.more(visit.user)} />}
      >
        <MenuItem
          icon="chart"
          onAction={() =>
            void navigate({ to: '/index/', search: { machine: visit.machineId, tab: 'variables' } })
          }
        >
          {t.watchValues}
        </MenuItem>
        {/* While another person is in control, this page opens for watching. */}
        {visit.kind === 'page' && visit.controls && (
          <MenuItem href={enterAddress(visit.machineId)} drawing={<Icon path={visitIcons.enter} />}>
            {t.watchPage}
          </MenuItem>
        )}
        {visitor && (
          <>
            <MenuLine />
            <MenuItem icon="clock" onAction={() => add(moreTime.half)}>
              {t.moreTime.half}
            </MenuItem>
            <MenuItem icon="clock" onAction={() => add(moreTime.hour)}>
              {t.moreTime.hour}
            </MenuItem>
            <MenuItem icon="edit" onAction={() => setAsked('time')}>
              {t.moreTime.custom}
            </MenuItem>
          </>
        )}
      </Menu>
      {dialog}
      {asked === 'end' && <EndVisitDialog visit={visit} machineName={machineName} onClose={close} />}
      {asked === 'time' && visitor && (
        <MoreTimeDialog machineId={visit.machineId} visitor={visitor} onClose={close} />
      )}
    </Row>
  )
}
