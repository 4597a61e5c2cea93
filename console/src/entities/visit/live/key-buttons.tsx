import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useText } from '../../../shared/i18n/index.ts'
import { Button, IconButton } from '../../../shared/ui/button.tsx'
import { Icon } from '../../../shared/ui/icon.tsx'
import { MenuItem, MenuLine, MenuLink, Popover } from '../../../shared/ui/popover.tsx'
import { enterAddress } from '../../machine/enter-machine.ts'
import { visitIcons } from '../../machine/visit-icons.ts'
import css from '../pane-visits.module.css'
import type { LiveVisit } from '../visit-state.ts'
import { EndVisitDialog } from './end-visit-dialog.tsx'
import { MoreTimeDialog } from './more-time-dialog.tsx'
import { useGiveControl } from './use-control-actions.tsx'
import { moreTime, useMoreTime, useVisitTime } from './use-more-time.ts'

/** What a key can do about somebody who is inside: watch, give control, give time, end it. */
export function KeyButtons({ visit, machineName }: { visit: LiveVisit; machineName: string }) {
  const t = useText().visits.pane
  const navigate = useNavigate()
  const { give, isPending, dialog } = useGiveControl(visit.machineId)
  const visitor = useVisitTime(visit)
  const more = useMoreTime(visit.machineId)
  const [asked, setAsked] = useState<'end' | 'time'>()
  const close = () => setAsked(undefined)

  return (
    <div className={css.buttons}>
      {visit.kind === 'page' && !visit.controls && (
        <Button size="small" busy={isPending} onClick={() => give(visit)}>
          {t.give}
        </Button>
      )}
      <Button size="small" aria-label={t.endOf(visit.user)} onClick={() => setAsked('end')}>
        {t.end}
      </Button>
      <Popover
        align="end"
        label={t.more(visit.user)}
        trigger={(props) => <IconButton icon="more" size="small" label={t.more(visit.user)} {...props} />}
      >
        {(closeMenu) => {
          const act = (work: () => void) => () => {
            closeMenu()
            work()
          }
          const add = (ms: number) => visitor && more.mutate({ visitor, addMs: ms })
          return (
            <>
              <MenuItem
                icon="chart"
                onClick={act(
                  () =>
                    void navigate({ to: '/index/', search: { machine: visit.machineId, tab: 'variables' } }),
                )}
              >
                {t.watchValues}
              </MenuItem>
              {/* While somebody else controls, whoever enters this page watches. */}
              {visit.kind === 'page' && visit.controls && (
                <MenuLink href={enterAddress(visit.machineId)} onClick={closeMenu}>
                  <Icon path={visitIcons.enter} />
                  {t.watchPage}
                </MenuLink>
              )}
              {visitor && (
                <>
                  <MenuLine />
                  <MenuItem icon="clock" onClick={act(() => add(moreTime.half))}>
                    {t.moreTime.half}
                  </MenuItem>
                  <MenuItem icon="clock" onClick={act(() => add(moreTime.hour))}>
                    {t.moreTime.hour}
                  </MenuItem>
                  <MenuItem icon="edit" onClick={act(() => setAsked('time'))}>
                    {t.moreTime.custom}
                  </MenuItem>
                </>
              )}
            </>
          )
        }}
      </Popover>
      {dialog}
      {asked === 'end' && <EndVisitDialog visit={visit} machineName={machineName} onClose={close} />}
      {asked === 'time' && visitor && (
        <MoreTimeDialog machineId={visit.machineId} visitor={visitor} onClose={close} />
      )}
    </div>
  )
}
