// What the one header offers, called as its first lines show. Prints one number a line.

#include <cstdio>
#include <vector>

#include <attention/engine.hpp>

int main() {
    attention::Matrix<double> const query = {{1, 0}, {0, 1}};
    attention::Matrix<double> const key = {{1, 0}, {0, 2}, {1, 1}};
    attention::Matrix<double> const value = {{1}, {2}, {4}};
    attention::AttentionOptions<double> options;
    options.rule.is_causal = true;
    auto const stages = attention::scaled_dot_product_attention(query, key, value, options);
    std::printf("readable %.17g %.17g\n", stages.output(0, 0), stages.output(1, 0));

    attention::MultiHeadOptions<double> heads;
    heads.is_causal = true;
    attention::Tensor<double> const multi_head =
        attention::multi_head_attention<double>(query, key, value, heads).output;
    std::printf("heads %.17g %.17g\n", multi_head(0, 0), multi_head(1, 0));

    std::vector<float> const queries(query.begin(), query.end());
    std::vector<float> const keys(key.begin(), key.end());
    std::vector<float> const values(value.begin(), value.end());
    std::vector<float> output(2);
    attention::FusedOptions<float> fused;
    fused.rule.is_causal = true;
    attention::FusedWorkspace<float> workspace;
    attention::Problem const problem =
        attention::fused_attention<float>({queries.data(), 2, 2, 2}, {keys.data(), 3, 2, 2}, {values.data(), 3, 1, 1},
                                          fused, {output.data(), 2, 1, 1}, workspace);
    std::printf("fused %.9g %.9g %s\n", static_cast<double>(output[0]), static_cast<double>(output[1]),
                problem ? problem->sentence().c_str() : "without a problem");

    attention::LessonState state;
    state.d_k = state.d_v = 64;
    state.divisor = attention::Divisor::none;
    std::printf("lesson %.17g\n", attention::lesson(state).rows.peak(1));

    state.d_k = 0;
    try {
        attention::lesson(state);
    } catch (attention::ArgumentError const& error) {
        std::printf("thrown %s\n", error.what());
    }
}
