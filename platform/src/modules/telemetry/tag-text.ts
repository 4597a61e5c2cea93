import type { Lang } from '@busbar/contract'

/** The text of a label, in the reader's language where the machine gives several. */
export function chooseLabel(label: Readonly<Record<string, string>>, lang: Lang): string {
  return label[lang] || label[''] || label.en || label.cn || ''
}
