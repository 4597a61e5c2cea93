import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { enterpriseQuery } from '../../entities/enterprise/enterprise-queries.ts'
import { keepMenu } from '../../shared/session/preferences.ts'
import { useSpace } from '../../shared/session/space.ts'
import { noFace, spaceFace } from '../../shared/session/space-face.ts'

/** Keeps the name and logo of the current space, as long as there is a shell around the page. */
export function useSpaceFace(): void {
  const space = useSpace()
  const { eid, name: enterprise = '' } = space ?? {}
  const { data } = useQuery({ ...enterpriseQuery(eid ?? 0), enabled: eid !== undefined })
  const name = (eid !== undefined && data?.platformName) || ''
  const logoUrl = (eid !== undefined && data?.applyLogoUrl) || ''
  useEffect(() => {
    if (space) keepMenu({ enterprise: space })
  }, [space])
  useEffect(() => {
    spaceFace.set({ enterprise, name, logoUrl })
    return () => spaceFace.set(noFace)
  }, [enterprise, name, logoUrl])
}
