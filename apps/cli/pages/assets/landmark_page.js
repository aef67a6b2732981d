'use strict';
(() => {
  const {results, draw} = report;
  const blue = '#2563a8', target = '#c2410c';

  // Gray is for what carries no guarantee, here as in the tables. Shapes tell methods apart without hue.
  const compared = [
    {method: 'scos', label: 'SCOS', color: '#d08a1d', shape: 'circle'},
    {method: 'scos-best', label: 'SCOS Best (no guarantee)', color: '#9aa3b0', shape: 'triangle-up'},
    {method: 'caos', label: 'CAOS', color: blue, shape: 'diamond'},
  ];

  const isNumber = (value) => typeof value === 'number' && Number.isFinite(value);
  const rowsOf = (part) => Array.isArray(results[part]) ? results[part] : [];
  const distinct = (values) => [...new Set(values)];
  const patches = (title) => ({type: 'quantitative', title, scale: {zero: true, nice: true}});

  function scatter() {
    const values = [];
    let largest = 0;
    for (const landmark of rowsOf('landmarks')) {
      const sizes = landmark.sizes ?? {};
      const oracle = sizes['scos-oracle'];
      for (const {method, label} of compared) {
        if (!isNumber(oracle) || !isNumber(sizes[method])) continue;
        values.push({landmark: landmark.name, method: label, oracle, size: sizes[method]});
        largest = Math.max(largest, oracle);
      }
    }
    if (values.length === 0) return null;
    const labels = compared.map((c) => c.label).filter((l) => values.some((v) => v.method === l));
    const styles = compared.filter((c) => labels.includes(c.label));
    const chosen = {param: 'chosen'};
    return {
      height: 380,
      layer: [
        {
          data: {values: [{at: 0}, {at: largest}]},
          mark: {type: 'line', color: target, strokeDash: [4, 3], strokeWidth: 1.2},
          encoding: {x: {field: 'at', type: 'quantitative'}, y: {field: 'at', type: 'quantitative'}},
        },
        {
          data: {values},
          params: [{name: 'chosen', select: {type: 'point', fields: ['method']}, bind: 'legend'}],
          mark: {type: 'point', filled: true, size: values.length > 300 ? 34 : 70,
                 stroke: '#fff', strokeWidth: 0.4},
          encoding: {
            x: {field: 'oracle', ...patches('mean set size of SCOS Oracle (patches)'),
                axis: {tickCount: 8}},
            y: {field: 'size', ...patches('mean set size (patches)')},
            color: {field: 'method', type: 'nominal', title: null,
                    scale: {domain: labels, range: styles.map((c) => c.color)}},
            shape: {field: 'method', type: 'nominal', title: null,
                    scale: {domain: labels, range: styles.map((c) => c.shape)}},
            opacity: {condition: {...chosen, value: 0.75}, value: 0.06},
            tooltip: [{field: 'landmark', title: 'landmark'}, {field: 'method', title: 'method'},
                      {field: 'size', title: 'mean set size', format: '.2f'},
                      {field: 'oracle', title: "Oracle's", format: '.2f'}],
          },
        },
      ],
    };
  }

  /// Rows with a mean and the band around it, from rows that have {mean, sem}.
  function withBand(rows) {
    return rows.filter((row) => isNumber(row.mean_set_size?.mean)).map((row) => {
      const mean = row.mean_set_size.mean;
      const sem = row.mean_set_size.sem ?? 0;
      return {...row, mean, low: mean - sem, high: mean + sem};
    });
  }

  const kAxis = {field: 'k', type: 'ordinal', title: 'k', scale: {padding: 0.25},
                 axis: {labelAngle: 0, grid: false}};

  /// A line with a band for each value of `field`, told apart by lightness and by dashes.
  function linesByK(values, field, order, title) {
    const shades = ['#12365f', '#2563a8', '#6ea3dc', '#a9c8ec', '#c9d1dc'];
    const dashes = [[1, 0], [6, 3], [2, 2], [8, 3, 2, 3], [1, 3]];
    const domain = order.filter((name) => values.some((v) => v[field] === name));
    const scale = (list) => ({domain, range: domain.map((_, i) => list[i % list.length])});
    const legend = {orient: 'bottom', titleOrient: 'left', symbolType: 'stroke', symbolSize: 400,
                    symbolStrokeWidth: 2, symbolOpacity: 1};
    const y = {field: 'mean', type: 'quantitative'};
    return {
      data: {values},
      encoding: {
        x: kAxis,
        color: {field, type: 'nominal', title, scale: scale(shades), legend},
        tooltip: [{field, title: field}, {field: 'k', title: 'k'},
                  {field: 'mean', title: 'mean set size', format: '.2f'}],
      },
      layer: [
        {mark: {type: 'area', opacity: 0.22},
         encoding: {y: {field: 'low', ...patches('mean set size (patches)')}, y2: {field: 'high'}}},
        {mark: {type: 'line', strokeWidth: 2},
         encoding: {y, strokeDash: {field, type: 'nominal', title, scale: scale(dashes)}}},
        {mark: {type: 'point', filled: true, size: 28, opacity: 1}, encoding: {y}},
      ],
    };
  }

  function kMean() {
    const values = withBand(rowsOf('k_ablation'));
    if (values.length === 0) return null;
    return linesByK(values, 'alpha', distinct(values.map((v) => v.alpha)), 'alpha');
  }

  function kStrata() {
    const values = withBand(rowsOf('k_strata'));
    if (values.length === 0) return null;
    const known = ['hard', 'medium', 'easy'];
    const order = distinct([...known, ...values.map((v) => v.stratum)]);
    return linesByK(values, 'stratum', order, null);
  }

  function kLandmarks() {
    const landmarks = rowsOf('landmarks').filter((l) => (l.by_k ?? []).some(isNumber));
    if (landmarks.length === 0) return null;
    const largest = Math.max(...landmarks.map((l) => l.by_k.length));
    const values = landmarks.flatMap((l) => l.by_k.map((size, i) => (
      {landmark: l.name, k: i + 1, size}))).filter((v) => isNumber(v.size));
    // The mean is over landmarks that have every k, else it would jump where one is missing.
    const complete = landmarks.filter((l) => l.by_k.length === largest && l.by_k.every(isNumber));
    const means = complete.length === 0 ? [] : complete[0].by_k.map((_, i) => (
      {k: i + 1, mean: complete.reduce((sum, l) => sum + l.by_k[i], 0) / complete.length}));
    return {
      encoding: {x: kAxis},
      layer: [
        {data: {values},
         mark: {type: 'line', strokeWidth: 1, color: '#8fa3bd',
                opacity: Math.min(0.9, Math.max(0.22, 12 / landmarks.length))},
         encoding: {y: {field: 'size', ...patches('mean set size (patches)')},
                    detail: {field: 'landmark', type: 'nominal'},
                    tooltip: [{field: 'landmark', title: 'landmark'}]}},
        {data: {values: means},
         mark: {type: 'line', strokeWidth: 3, color: blue, point: {color: blue, size: 36}},
         encoding: {y: {field: 'mean', type: 'quantitative'},
                    tooltip: [{field: 'k', title: 'k'},
                              {field: 'mean', title: 'mean', format: '.2f'}]}},
      ],
    };
  }

  function beyond() {
    const values = rowsOf('beyond').filter((row) => isNumber(row.ratio_to_cosine)).map((row) => ({
      score: row.score, alpha: row.alpha, ratio: row.ratio_to_cosine,
      kind: row.fixed_in_advance === false ? 'chosen with the data' : 'fixed in advance',
    }));
    if (values.length === 0) return null;
    const scores = distinct(values.map((v) => v.score));
    const alphas = distinct(values.map((v) => v.alpha));
    const shades = ['#12365f', '#2563a8', '#6ea3dc', '#a9c8ec', '#c9d1dc'];
    const shapes = ['circle', 'square', 'triangle-up', 'diamond', 'cross'];
    const perAlpha = (list) => ({domain: alphas, range: alphas.map((_, i) => list[i % list.length])});
    return {
      height: 46 * scores.length,
      layer: [
        {data: {values: [{at: 1}]}, mark: {type: 'rule', color: target, strokeDash: [4, 3]},
         encoding: {x: {field: 'at', type: 'quantitative'}}},
        {data: {values}, mark: {type: 'point', filled: true, size: 80},
         encoding: {
           x: {field: 'ratio', type: 'quantitative', title: "mean set size / the cosine's",
               scale: {zero: true}, axis: {tickCount: 6}},
           y: {field: 'score', type: 'nominal', title: null, sort: scores,
               axis: {labelLimit: 160, grid: false}},
           yOffset: {field: 'alpha', type: 'nominal', sort: alphas},
           color: {field: 'alpha', type: 'nominal', title: 'alpha', scale: perAlpha(shades)},
           shape: {field: 'alpha', type: 'nominal', title: 'alpha', scale: perAlpha(shapes)},
           opacity: {condition: {test: "datum.kind === 'fixed in advance'", value: 1}, value: 0.4},
           tooltip: [{field: 'score', title: 'score'}, {field: 'alpha', title: 'alpha'},
                     {field: 'ratio', title: 'ratio', format: '.3f'}, {field: 'kind', title: 'score is'}],
         }},
      ],
    };
  }

  /// The share of points that are at most so far off, by where the point comes from.
  function pointErrors() {
    const labels = {proposal: 'proposal', nearest_image: 'nearest image', mean_position: 'mean position'};
    const values = (results.point_errors?.sources ?? []).flatMap((source) => (
      (source.percentiles_px ?? []).map((error, i) => (
        {source: labels[source.source] ?? source.source, error, share: (i + 1) / 100}))));
    if (values.length === 0) return null;
    const domain = distinct(values.map((v) => v.source));
    const legend = {orient: 'top', symbolType: 'stroke', symbolSize: 400, symbolStrokeWidth: 2};
    const scale = (list) => ({domain, range: list.slice(0, domain.length)});
    return {
      data: {values},
      mark: {type: 'line', interpolate: 'step-after', strokeWidth: 2},
      encoding: {
        x: {field: 'error', type: 'quantitative', title: 'distance from the true point (px)',
            scale: {type: 'symlog', constant: 1}, axis: {tickCount: 8}},
        y: {field: 'share', type: 'quantitative', title: 'share of points',
            scale: {domain: [0, 1]}, axis: {format: '%'}},
        color: {field: 'source', type: 'nominal', title: null, legend,
                scale: scale([blue, '#d08a1d', '#9aa3b0'])},
        strokeDash: {field: 'source', type: 'nominal', title: null,
                     scale: scale([[1, 0], [6, 3], [2, 2]])},
        tooltip: [{field: 'source', title: 'point'}, {field: 'error', title: 'px', format: '.2f'},
                  {field: 'share', title: 'share', format: '.0%'}],
      },
    };
  }

  draw('scatter', scatter());
  draw('point_errors', pointErrors());
  draw('k_mean', kMean());
  draw('k_landmarks', kLandmarks());
  draw('k_strata', kStrata());
  draw('beyond', beyond());
})();
