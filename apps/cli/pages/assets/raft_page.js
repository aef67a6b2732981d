'use strict';
(() => {
  const {results, draw} = report;
  const shapes = {caos: 'diamond', scos: 'circle'};
  const labels = {caos: 'CAOS', scos: 'SCOS'};

  /// CAOS and SCOS of every task at an alpha.
  function compared(alpha) {
    return results.results.filter((row) => row.alpha === alpha && row.method in labels).map((row) => ({
      task: row.task, method: labels[row.method], shape: shapes[row.method],
      size: row.mean_set_size.mean, coverage: row.coverage.mean,
      text: `${labels[row.method]} ${row.mean_set_size.mean.toFixed(2)}, covers ${row.coverage.mean.toFixed(3)}`,
    }));
  }

  /// Sizes from one to dozens of labels need room where most of them are; zero has to be there too.
  function sizeScale(largest) {
    return {type: largest > 12 ? 'symlog' : 'linear', domain: [0, 1.08 * largest], nice: false};
  }

  /// Where a text to the right of its dot would leave the plot.
  function isFarRight(size, largest) {
    return largest > 12 ? Math.log1p(size) > 0.65 * Math.log1p(largest) : size > 0.65 * largest;
  }

  function sizeTicks(largest) {
    const step = [0.25, 0.5, 1, 2].find((s) => largest / s <= 7);
    if (largest <= 12) return Array.from({length: Math.floor(largest / step) + 1}, (_, i) => i * step);
    return [0, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000].filter((tick) => tick <= 1.08 * largest);
  }

  /// Orange below the target, blue from it on; darker is farther away.
  function coverageScale(lowest, target) {
    return {domain: [Math.min(lowest, target - 0.1), target - 1e-9, target, 1],
            range: ['#7c2d12', '#f2a469', '#8db9e6', '#12365f'], clamp: true};
  }

  function group(place, values, scales, first) {
    const tasks = [...new Set(values.map((v) => v.task))];
    const room = place.clientWidth > 560 ? 250 : 120;
    const y = {field: 'task', type: 'nominal', title: null, sort: tasks, scale: {paddingInner: 0.25},
               axis: {grid: false, ticks: false, domain: false, labelPadding: 8, labelLimit: room - 10,
                      minExtent: room, maxExtent: room}};
    const x = {field: 'size', type: 'quantitative', scale: scales.size,
               title: 'mean set size (labels)', axis: {values: scales.ticks, format: '.2~f'}};
    const yOffset = {field: 'method', type: 'nominal', sort: ['CAOS', 'SCOS']};
    const legend = {title: 'coverage', orient: 'top', format: '.2f', gradientLength: 220,
                    values: scales.legend};
    const words = (place, onLeft) => ({
      transform: [{filter: {field: 'onLeft', equal: onLeft}}],
      mark: {type: 'text', dy: 1, fontSize: 11.5, color: '#4a5464', ...place},
      encoding: {text: {field: 'text'}},
    });
    return {
      data: {values}, height: 48 * tasks.length,
      encoding: {x, y, yOffset, tooltip: [{field: 'task', title: 'task'}, {field: 'method', title: 'method'},
                {field: 'size', title: 'mean set size', format: '.3f'},
                {field: 'coverage', title: 'coverage', format: '.3f'}]},
      layer: [
        {mark: {type: 'point', filled: true, size: 130, opacity: 1, stroke: '#4a5464', strokeWidth: 0.6},
         encoding: {shape: {field: 'shape', type: 'nominal', scale: null, legend: null},
                    color: {field: 'coverage', type: 'quantitative', scale: scales.coverage,
                            legend: first ? legend : null}}},
        words({align: 'left', dx: 11}, false),
        words({align: 'right', dx: -11}, true),
      ],
    };
  }

  for (const figure of results.groups) {
    const values = compared(figure.alpha);
    const largest = Math.max(1, ...values.map((v) => v.size));
    for (const value of values) value.onLeft = isFarRight(value.size, largest);
    const lowest = Math.min(1, ...values.map((v) => v.coverage));
    const coverage = coverageScale(lowest, figure.target);
    const scales = {size: sizeScale(largest), ticks: sizeTicks(largest), coverage,
                    legend: [coverage.domain[0], figure.target, 1]};
    let first = true;
    for (const part of figure.parts) {
      const id = `figure-${figure.alpha}-${part.reaches}`;
      const place = document.getElementById(id);
      if (!place) continue;
      draw(id, group(place, values.filter((v) => part.tasks.includes(v.task)), scales, first));
      first = false;
    }
  }
})();
