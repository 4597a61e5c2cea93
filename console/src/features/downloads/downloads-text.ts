import type { DownloadsText } from '../../shared/i18n/cn/downloads.ts'
import { useText } from '../../shared/i18n/language.ts'

/** The texts of the programs to download, which are loaded with them only. */
export function useDownloadsText(): DownloadsText {
  return (useText() as unknown as { downloads: DownloadsText }).downloads
}
