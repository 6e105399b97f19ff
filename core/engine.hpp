// The whole engine: the one header that a C++ program includes.
//
//   #include <attention/engine.hpp> // with find_package(attention) and the CMake target attention::attention
//
// Attention on matrices of one's own, every stage kept:
//
//   attention::Matrix<double> const query = {{1, 0}, {0, 1}};        // (n_query, d_k)
//   attention::Matrix<double> const key = {{1, 0}, {0, 2}, {1, 1}};  // (n_key, d_k)
//   attention::Matrix<double> const value = {{1}, {2}, {4}};         // (n_key, d_v)
//   attention::AttentionOptions<double> options;                     // scale, softcap, windows, masks
//   options.rule.is_causal = true;
//   auto const stages = attention::scaled_dot_product_attention(query, key, value, options);
//   // stages.scores, .masked, .weights (n_query, n_key) and .output (n_query, d_v)
//
// The same over batches and heads, in every rank and with every mask:
//
//   attention::MultiHeadOptions<float> options;
//   options.heads = 8; // side by side in the last axis of query (batches, n_query, 8 * d_k)
//   attention::Tensor<float> const output =
//       attention::multi_head_attention<float>(query, key, value, options).output;
//
// Its gradients, given those of the output:
//
//   attention::MultiHeadGradients<float> const gradients =
//       attention::multi_head_gradients<float>(query, key, value, output_gradient, options);
//   // gradients.query, .key and .value in the shapes of what went in, .scores (batches, heads, n_query, n_key)
//
// One head fast, in float32 or float64, on numbers that stay where they are, without a table of scores:
//
//   std::vector<float> query(n_query * d_k), key(n_key * d_k), value(n_key * d_v), output(n_query * d_v);
//   attention::FusedOptions<float> options;
//   attention::FusedWorkspace<float> workspace; // keep it, and later calls allocate nothing
//   attention::Problem const problem = attention::fused_attention<float>(
//       {query.data(), n_query, d_k, d_k}, {key.data(), n_key, d_k, d_k}, {value.data(), n_key, d_v, d_v}, options,
//       {output.data(), n_query, d_v, d_v}, workspace); // each is data, rows, columns, and from one row to the next
//
// A lesson: tokens, seeded embeddings and matrices, with every number that the widget shows:
//
//   attention::LessonState state;
//   state.d_k = state.d_v = 64;
//   state.divisor = attention::Divisor::none;
//   attention::Lesson const lesson = attention::lesson(state); // lesson.rows.peak(1) is above 0.99
//
// What cannot be computed throws an ArgumentError, whose sentence names the argument, what was found and what was
// expected. The fast path gives the same sentence back as a Problem. Where there is not enough memory, every function,
// the fast path too, throws std::bad_alloc: what it took is freed, and no state is left behind.
#pragma once

#include "attention.hpp"  // every stage, readable: start here
#include "comparison.hpp" // two lessons side by side
#include "error.hpp"
#include "fused.hpp"               // the fast path
#include "gradient.hpp"            // the backward pass
#include "instruction_set.hpp"     // which one the fast path uses
#include "layer_norm.hpp"          // what a trained layer does to each token first
#include "lesson.hpp"              // a lesson's state in, everything that a page shows out
#include "multi_head.hpp"          // batches and heads
#include "multi_head_gradient.hpp" // and back through them
#include "proofs.hpp"              // the laws, checked on a lesson's own numbers
#include "statistics.hpp"          // many seeds
#include "training.hpp"            // gradient descent on the layer's matrices
#include "widths.hpp"              // one seed at every d_k
