import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useText } from '../../../shared/i18n/index.ts'
import type { PageSpace } from '../../../shared/session/page-space.ts'
import { Button } from '../../../shared/ui/button.tsx'
import { EmptyState } from '../../../shared/ui/empty-state.tsx'
import { ShapeWait } from '../../../shared/ui/shape-wait.tsx'
import { enterpriseConfigQuery, userConfigQuery } from '../notification-queries.ts'
import css from '../notifications.module.css'
import { useMaySet } from '../use-may-set.ts'
import { BrowserSettings } from './browser-settings.tsx'
import { LimitsForm } from './limits-form.tsx'
import { QuietHoursForm } from './quiet-hours-form.tsx'
import { SendingSwitches } from './sending-switches.tsx'
import { ofEnterprise, ofPerson } from './space-config.ts'

/** Alarm notifications of a person or of an enterprise. */
export function SettingsPart({ space }: { space: PageSpace }): ReactNode {
  const { eid } = space.asked
  const text = useText()
  const t = text.notifications
  const maySet = useMaySet(space)
  const own = useQuery({ ...userConfigQuery(space.asked), enabled: eid === undefined })
  const enterprise = useQuery({ ...enterpriseConfigQuery(eid ?? 0), enabled: eid !== undefined })
  const query = eid === undefined ? own : enterprise
  const config =
    eid === undefined ? own.data && ofPerson(own.data) : enterprise.data && ofEnterprise(enterprise.data, eid)
  if (!config)
    return query.isError ? (
      <EmptyState icon="warning" title={t.failed} hint={t.failedHint}>
        <Button icon="refresh" busy={query.isFetching} onClick={() => void query.refetch()}>
          {text.app.retry}
        </Button>
      </EmptyState>
    ) : (
      <ShapeWait shape="form" />
    )
  return (
    <div className={css.settings}>
      {!maySet && <p>{t.settings.readOnly}</p>}
      <SendingSwitches config={config} isLocked={!maySet} />
      <LimitsForm config={config} isLocked={!maySet} />
      <QuietHoursForm config={config} isLocked={!maySet} />
      {own.data && eid === undefined && <BrowserSettings config={own.data} />}
    </div>
  )
}
