import type { operatorProjectsText as cn } from '../cn/operator-projects.ts'

export const operatorProjectsText: typeof cn = {
  lead: 'The state, lag and quota of every project. A stopped one delivers nothing, and its rows are kept for up to 72 hours.',
  search: 'Project, enterprise or owner',
  columns: { name: 'Project', state: 'State', lag: 'Lag', quota: 'Rows this month', machines: 'Devices' },
  inTime: 'None',
  lag: (rows, lasts) => `${rows} rows, ${lasts}`,
  quota: (rows, of) => `${rows} of ${of}`,
  stop: 'Stop',
  confirmStop: (name) => `Stop “${name}”?`,
  confirmStopBody: 'The project delivers nothing from now on, and its members see why.',
  resume: 'Resume',
  confirmResume: (name) => `Resume “${name}”?`,
  confirmResumeBody: 'Its destinations go on where they stopped.',
  empty: 'No projects yet',
}
