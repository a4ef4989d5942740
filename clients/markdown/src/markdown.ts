export { type ExportOptions, type ExportReport, exportFolder } from './export-folder.js';
export { UnsuitableFilesError } from './folder.js';
export { type ImportOptions, type ImportPlan, importFolder } from './import-folder.js';
export { LargeFolderError } from './manifests.js';
export { type SyncOptions, type SyncReport, syncFolder } from './sync-folder.js';
export { type Place, WorkspaceNotFoundError } from './workspace.js';
