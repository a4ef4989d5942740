import { Injectable } from '@nestjs/common';
import { Metrics } from '../observability/metrics.js';
import { TreeRepository } from './tree.repository.js';

/** Shows how much memory the remembered trees take. */
@Injectable()
export class TreeMetrics {
  constructor(metrics: Metrics, trees: TreeRepository) {
    metrics.gauge('teamspaces_cache_bytes', 'Bytes that are remembered.', 'cache', () => [
      ['trees', trees.rememberedBytes],
    ]);
  }
}
