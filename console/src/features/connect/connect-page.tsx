import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { enterprisesQuery } from '../../shared/session/account-queries.ts'
import { Page } from '../../shared/ui/page.tsx'
import css from './connect.module.css'
import { useConnectText } from './connect-text.ts'
import { ConnectedMachine } from './connected-machine.tsx'
import { KindForm } from './kind-form.tsx'

/** From a controller that the platform does not know to its first values. */
export function ConnectPage(): ReactNode {
  const { machineId, eid } = useSearch({ from: '/shell/connect' })
  const t = useConnectText()
  const enterprise = useQuery(enterprisesQuery).data?.find((one) => one.eid === eid)
  return (
    <Page title={t.title} lead={enterprise ? t.leadOf(enterprise.name) : t.lead}>
      <div className={css.column}>
        {/* Another device, or another space, is another page. */}
        {machineId === undefined ? (
          <KindForm key={eid} eid={eid} />
        ) : (
          <ConnectedMachine key={machineId} machineId={machineId} eid={eid} />
        )}
      </div>
    </Page>
  )
}
