import { LeavingBanner } from '../../../entities/enterprise/leaving-banner.tsx'
import { useDeviceSpace } from '../space.ts'
import { TransferBanner } from '../transfer/transfer-banner.tsx'

/** What stands above a list until it is answered: offers of machines, and one's own leaving. */
export function ListBanners() {
  const space = useDeviceSpace()
  if (space.kind === 'maintained') return null
  if (space.kind === 'owned') return <TransferBanner eid={space.eid} />
  return (
    <>
      <LeavingBanner />
      <TransferBanner />
    </>
  )
}
