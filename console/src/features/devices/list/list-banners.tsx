import { LeavingBanner } from '../../../entities/enterprise/leaving-banner.tsx'
import { useDeviceSpace } from '../space.ts'
import { TransferBanner } from '../transfer/transfer-banner.tsx'

/** Banners above a list until they are answered: offers of machines, and the deletion of the account. */
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
